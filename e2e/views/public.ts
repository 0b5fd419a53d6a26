import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { verificationTexts as verification } from '@keyturn/contract/deals/verification/verification-texts.ts'
import { switchesTexts } from '@keyturn/contract/notifications/switches-texts.ts'
import type { Page } from '@playwright/test'
import { stopPath } from '../../server/mail/stop-links.ts'
import { demoCars } from '../../server/seed/cars.ts'
import { demoPeople } from '../../server/seed/people.ts'
import { landingTexts as landing } from '../../web/pages/landing-texts.ts'
import { pageTexts } from '../../web/pages/page-texts.ts'
import { fill, fills, heading, press, presses, text, type View } from './view.ts'
import type { World } from './world.ts'

const { login, loginLink, register, verify, forgot, reset } = accountTexts
const { buyThisCar } = carTexts
const nobody = 'nobody' as const

const typed = {
  [register.firstName]: 'Rosa',
  [register.lastName]: 'Delgado',
  [register.email]: 'rosa.delgado@example.com',
  [register.phoneNumber]: '505-555-0133',
  [register.password]: 'quiet-harbor-90',
  [register.confirmPassword]: 'quiet-harbor-90',
}
const another = { [reset.password]: 'quiet-harbor-91', [reset.confirmPassword]: 'quiet-harbor-91' }
const wrong = {
  [register.email]: 'rosa@',
  [register.phoneNumber]: '12',
  [register.password]: 'short',
  [register.confirmPassword]: 'shorter',
}

const numberIn = (address: string) => new URLSearchParams(address.split('?')[1]).get('pkgId') ?? ''

/** As somebody was sent it, who has nothing else. */
async function agreementOf(world: World): Promise<string> {
  const number = numberIn(await world.packageOf('wrangler'))
  return world.read('elena', `/progress/pkg/${number}/1`)
}

/** One file for each text, as they would be dropped together. */
const choose = (page: Page, contents: readonly string[]) =>
  page.getByLabel(verification.files.choose).setInputFiles(
    contents.map((content, at) => ({
      name: `agreement-${at + 1}.${content.startsWith('%PDF') ? 'pdf' : 'json'}`,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(content),
    })),
  )

/** What anyone can open. */
export const publicViews: View[] = [
  {
    name: 'landing-selling',
    as: nobody,
    at: '/',
    shows: heading(landing.sides.selling.headline),
  },
  {
    name: 'landing-buying',
    as: nobody,
    at: (world) => `/${world.linkTo('camry')}`,
    act: (page) => page.getByText(landing.faqs[2].question).click(),
    shows: text(landing.faqs[2].answer),
  },
  {
    name: 'landing-sheet',
    as: nobody,
    at: '/',
    act: (page) => page.getByText(landing.sheet.open).click(),
    shows: text(/^The seller agrees not to sell the vehicle/),
  },
  { name: 'privacy', as: nobody, at: '/privacy', shows: heading(pageTexts.privacy.title) },
  { name: 'verify', as: nobody, at: '/verify', shows: heading(verification.title) },
  {
    name: 'verify-unknown-number',
    as: nobody,
    at: `/verify?agreement=${'a'.repeat(24)}`,
    shows: heading(verification.standings.unknown.title),
  },
  {
    name: 'verify-number',
    as: nobody,
    at: async (world) => `/verify?agreement=${numberIn(await world.packageOf('wrangler'))}`,
    shows: heading(verification.standings.stands.title),
  },
  {
    name: 'verify-valid',
    as: nobody,
    at: '/verify',
    act: async (page, world) => choose(page, [await agreementOf(world)]),
    shows: text(verification.outcomes.valid.text),
  },
  {
    name: 'verify-altered',
    as: nobody,
    at: '/verify',
    act: async (page, world) => choose(page, [(await agreementOf(world)).replace('Jeep', 'Jeeq')]),
    shows: text(verification.outcomes.altered.text),
  },
  {
    name: 'verify-several',
    as: nobody,
    at: '/verify',
    act: async (page, world) => {
      const agreement = await agreementOf(world)
      await choose(page, [agreement, agreement.replace('Jeep', 'Jeeq'), '%PDF-1.7', 'a text'])
    },
    shows: text(verification.notAnAgreement.other),
  },
  {
    name: 'mail-stop',
    as: nobody,
    at: (world) => world.mailedLink(demoPeople.maya.email, stopPath),
    shows: (page) => page.getByRole('button', { name: switchesTexts.stop.button }),
  },
  {
    name: 'mail-stop-invalid',
    as: nobody,
    at: `${stopPath}?to=${'a'.repeat(24)}&kinds=requests&proof=none`,
    shows: heading(switchesTexts.stop.invalidTitle),
    expects: [/^GET \/mail\/stop 404$/],
  },
  { name: 'terms', as: nobody, at: '/tos', shows: heading(pageTexts.terms.title) },

  { name: 'login', as: nobody, at: '/login', shows: heading(login.title) },
  {
    name: 'login-errors',
    as: nobody,
    at: '/login',
    act: presses(login.submit),
    shows: text('Password is required.'),
  },
  {
    name: 'login-refused',
    as: nobody,
    at: '/login',
    act: fills({ [login.email]: demoPeople.maya.email, [login.password]: 'not her password' }, login.submit),
    shows: text(login.failed),
    expects: [/^POST \/auth\/login 401$/],
  },
  {
    name: 'login-signed-in',
    as: 'maya',
    at: '/login',
    // The browser remembers who was behind the gate.
    before: async (page) => {
      await page.goto('/profile')
      await page.getByText(demoPeople.maya.email).waitFor()
    },
    shows: text(login.signedInAs('Maya Whitfield')),
  },
  { name: 'login-for-help', as: nobody, at: '/help', shows: text(login.helpIsOpen) },
  { name: 'login-link', as: nobody, at: '/login/link#code=wrong', shows: text(loginLink.lead) },
  {
    name: 'login-link-refused',
    as: nobody,
    at: '/login/link#code=wrong',
    act: presses(loginLink.submit),
    shows: text(loginLink.invalid),
    expects: [/^POST \/auth\/login\/link 400$/],
  },
  { name: 'login-link-invalid', as: nobody, at: '/login/link', shows: text(loginLink.invalid) },

  { name: 'register-seller', as: nobody, at: '/register/seller', shows: heading(register.sellerTitle) },
  {
    name: 'register-seller-errors',
    as: nobody,
    at: '/register/seller',
    act: fills(wrong, register.submit),
    // Of a field that nobody has been in: the button was pressed, though leaving the field before it puts a sentence above it.
    shows: text('Your name is required.'),
  },
  {
    name: 'register-seller-refused',
    as: nobody,
    at: '/register/seller',
    act: fills({ ...typed, [register.email]: demoPeople.daniel.email }, register.submit),
    shows: text(register.failed),
    expects: [/^POST \/auth\/register 409$/],
  },
  {
    name: 'register-buyer',
    as: nobody,
    at: (world) => `/register/buyer${world.linkTo('camry')}`,
    shows: heading(register.buyerTitle),
  },

  {
    name: 'register-broken-link',
    as: nobody,
    at: '/register?vin=1HGCM8',
    shows: text(register.brokenLink),
  },

  {
    name: 'email-waiting',
    as: 'newcomer',
    at: async (world, profile) => `/email/${await world.join(profile, 'Rosa')}`,
    shows: heading(verify.waitingTitle),
  },
  {
    name: 'email-waiting-signed-out',
    as: nobody,
    at: '/email/somebody@example.com',
    shows: text('somebody@example.com'),
  },
  {
    name: 'email-waiting-sent-again',
    as: 'newcomer',
    at: async (world, profile) => `/email/${await world.join(profile, 'Ruben')}`,
    act: presses(verify.resend),
    shows: text(/^Email sent to/),
  },
  {
    name: 'email-waiting-other-address',
    as: 'newcomer',
    at: async (world, profile) => `/email/${await world.join(profile, 'Rita')}`,
    act: presses(verify.wrongAddress),
    shows: (page) => page.getByLabel(verify.newAddress),
  },
  {
    name: 'email-verified',
    as: 'newcomer',
    at: async (world, profile) => world.mailedLink(await world.join(profile, 'Ralph')),
    shows: text(verify.toDashboard),
  },
  {
    name: 'email-verified-with-car',
    as: 'newcomer',
    at: async (world, profile) => {
      const link = await world.mailedLink(await world.join(profile, 'Renee'))
      return `${link}&${world.linkTo('camry').slice(1)}`
    },
    shows: text(verify.toPurchase),
  },
  {
    name: 'email-verify-failed',
    as: nobody,
    at: '/email/verify?code=nobody-was-ever-given-this-code',
    shows: text(verify.failed),
    expects: [/^GET \/auth\/email\/verify\/.* 400$/],
  },
  { name: 'email-verify-no-code', as: nobody, at: '/email/verify', shows: text(verify.noCode) },

  { name: 'password-forgot', as: nobody, at: '/password/forgot', shows: heading(forgot.title) },
  {
    name: 'password-forgot-sent',
    as: nobody,
    at: '/password/forgot',
    act: fills({ [forgot.email]: 'rosa.delgado@example.com' }, forgot.submit),
    shows: text(/Check your inbox/),
  },
  {
    name: 'password-reset',
    as: nobody,
    at: () => resetLink('some-code'),
    shows: (page) => page.getByLabel(reset.confirmPassword, { exact: true }),
  },
  {
    name: 'password-reset-errors',
    as: nobody,
    at: () => resetLink('some-code'),
    act: fills({ [reset.password]: 'short', [reset.confirmPassword]: 'shorter' }, reset.submit),
    shows: text('Passwords do not match.'),
  },
  {
    name: 'password-reset-refused',
    as: nobody,
    at: () => resetLink('nobody-was-ever-given-this-code'),
    act: fills(another, reset.submit),
    shows: (page) => page.getByRole('link', { name: reset.resend }),
    expects: [/^POST \/auth\/password\/reset 400$/],
  },
  { name: 'password-reset-invalid', as: nobody, at: '/password/reset', shows: heading(reset.invalidTitle) },
  {
    name: 'password-reset-done',
    as: 'newcomer',
    at: async (world, profile) => {
      const email = await world.join(profile, 'Regina')
      await profile.request.get(verifying(await world.mailedLink(email)))
      await profile.request.post('/auth/password/forgot', { data: { email } })
      return world.mailedLink(email, '/password/reset')
    },
    act: fills(another, reset.submit),
    shows: text(reset.done),
  },

  {
    name: 'car',
    as: nobody,
    at: (world) => `/car${world.linkTo('camry')}`,
    shows: text(carTexts.public.sellerDetails),
  },
  {
    name: 'car-photos',
    as: nobody,
    before: (_, world) => world.photograph('maya', demoCars.camry.vin),
    at: (world) => `/car${world.linkTo('camry')}`,
    shows: (page) => page.getByRole('link', { name: 'Photo 1 of 3' }),
  },
  {
    name: 'car-photos-opened',
    as: nobody,
    before: (_, world) => world.photograph('maya', demoCars.camry.vin),
    at: (world) => `/car${world.linkTo('camry')}`,
    act: (page) => page.getByRole('link', { name: 'Photo 2 of 3' }).click(),
    shows: (page) => page.getByRole('dialog').getByText('Photo 2 of 3'),
  },
  {
    name: 'car-bought',
    as: 'elena',
    at: (world) => `/car${world.linkTo('odyssey')}`,
    shows: text(carTexts.public.bought),
  },
  {
    name: 'car-without-price',
    as: nobody,
    at: (world) => `/car${world.linkTo('outback')}`,
    shows: text(carTexts.toBeAgreed),
  },
  {
    name: 'car-sale-pending',
    as: nobody,
    at: (world) => `/car${world.linkTo('cx5')}`,
    shows: text(carTexts.public.pendingHint),
  },
  {
    name: 'car-own',
    as: 'maya',
    at: (world) => `/car${world.linkTo('camry')}`,
    shows: text(carTexts.public.ownCar),
  },
  {
    name: 'car-signed-in',
    as: 'elena',
    at: (world) => `/car${world.linkTo('civic')}`,
    shows: text(carTexts.public.sellerDetails),
  },
  {
    name: 'car-nobodys',
    as: nobody,
    at: `/car?userId=${'0'.repeat(24)}&vin=1HGCM82633A004352`,
    shows: text(carTexts.public.invalid),
    expects: [/^GET \/car 404$/],
  },
  {
    name: 'car-invalid',
    as: nobody,
    at: '/car?vin=1FTFW1ET5DF000000',
    shows: text(carTexts.public.invalid),
    expects: [/^GET \/car 404$/],
  },

  {
    name: 'buy-this-car-create',
    as: nobody,
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    shows: heading(buyThisCar.interested),
  },
  {
    name: 'buy-this-car-create-errors',
    as: nobody,
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    act: fills(wrong, buyThisCar.submitCreate),
    shows: text('Passwords do not match.'),
  },
  {
    name: 'buy-this-car-create-refused',
    as: nobody,
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    act: fills({ ...typed, [register.email]: demoPeople.elena.email }, buyThisCar.submitCreate),
    shows: text(buyThisCar.registrationFailed),
    expects: [/^POST \/auth\/register 409$/],
  },
  {
    name: 'buy-this-car-sign-in',
    as: nobody,
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    act: (page) => page.getByRole('tab', { name: buyThisCar.signIn }).click(),
    shows: (page) => page.getByRole('button', { name: buyThisCar.submitSignIn }),
  },
  {
    name: 'buy-this-car-sign-in-refused',
    as: nobody,
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    act: async (page) => {
      await page.getByRole('tab', { name: buyThisCar.signIn }).click()
      await fill(page, { [login.email]: demoPeople.elena.email, [login.password]: 'not her password' })
      await press(page, buyThisCar.submitSignIn)
    },
    shows: text(buyThisCar.signInFailed),
    expects: [/^POST \/auth\/login 401$/],
  },
  {
    name: 'buy-this-car-signed-in',
    as: 'nora',
    at: (world) => `/buy-this-car${world.linkTo('camry')}`,
    shows: text(/^Continue as/),
  },
  {
    name: 'buy-this-car-invalid',
    as: nobody,
    at: '/buy-this-car',
    shows: text(carTexts.public.invalid),
    expects: [/^GET \/buy-this-car 404$/],
  },
]

const resetLink = (code: string) => `/password/reset?code=${code}&exp=${Date.now() + 3_600_000}`

/** The page's link, as the call behind it. */
const verifying = (link: string) =>
  `/auth/email/verify/${new URL(link, 'http://localhost').searchParams.get('code')}`
