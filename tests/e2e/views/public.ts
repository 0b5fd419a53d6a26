import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { verificationTexts as verification } from '@keyturn/contract/agreements/verification/verification-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { preferencesTexts } from '@keyturn/contract/notifications/preferences-texts.ts'
import type { Page } from '@playwright/test'
import { type DemoCarName, demoCars } from '../../../server/commands/seed/demo-cars.ts'
import { demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { unsubscribePath } from '../../../server/platform/mail/unsubscribe-link.ts'
import { developersTexts } from '../../../web/features/public-pages/developers/developers-texts.ts'
import { landingTexts as landing } from '../../../web/features/public-pages/landing-texts.ts'
import { pageTexts } from '../../../web/features/public-pages/page-texts.ts'
import {
  button,
  click,
  fill,
  heading,
  inSequence,
  link,
  press,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'
import type { World } from './world.ts'

const { login, loginLink, register, verify, forgot, reset } = accountTexts
const { buyThisCar } = carTexts

const registration = {
  [register.firstName]: 'Rosa',
  [register.lastName]: 'Delgado',
  [register.email]: 'rosa.delgado@example.com',
  [register.phoneNumber]: '505-555-0133',
  [register.password]: 'quiet-harbor-90',
  [register.confirmPassword]: 'quiet-harbor-90',
}
const newPassword = { [reset.password]: 'quiet-harbor-91', [reset.confirmPassword]: 'quiet-harbor-91' }
const invalidRegistration = {
  [register.email]: 'rosa@',
  [register.phoneNumber]: '12',
  [register.password]: 'short',
  [register.confirmPassword]: 'shorter',
}

const pkgIdIn = (address: string) => new URLSearchParams(address.split('?')[1]).get('pkgId') ?? ''
const pageOf = (path: string, car: DemoCarName) => (world: World) => path + world.linkTo(car)

/** Chooses the demo's signed agreement, or the files made from it. */
const chooseAgreement =
  (files: (agreement: string) => string[] = (agreement) => [agreement]) =>
  async (page: Page, world: World) => {
    const number = pkgIdIn(await world.packagePath('wrangler'))
    const contents = files(await world.readResponse('elena', `/progress/pkg/${number}/1`))
    await page.getByLabel(verification.files.choose).setInputFiles(
      contents.map((content, at) => ({
        name: `agreement-${at + 1}.${content.startsWith('%PDF') ? 'pdf' : 'json'}`,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(content),
      })),
    )
  }

/** A page of a person who has just registered. */
const newcomerView = (name: string, view: Pick<View, 'act' | 'shows'>): View => ({
  name: `email-${name}`,
  as: 'newcomer',
  at: async (world, profile) => `/email/${await world.registerNewcomer(profile, name)}`,
  ...view,
})

/** Pages that need no session. */
export const publicViews: View[] = [
  ...viewsOf('nobody', '/', [
    { name: 'landing-selling', shows: heading(landing.sides.selling.headline) },
    {
      name: 'landing-sheet',
      act: click(text(landing.sheet.open)),
      shows: text(/^The seller agrees not to sell the vehicle/),
    },
  ]),
  ...viewsOf('nobody', pageOf('/', 'camry'), [
    {
      name: 'landing-buying',
      act: click(text(landing.faqs[2].question)),
      shows: text(landing.faqs[2].answer),
    },
  ]),
  { name: 'privacy', as: 'nobody', at: '/privacy', shows: heading(pageTexts.privacy.title) },
  { name: 'developers', as: 'nobody', at: '/developers', shows: heading(developersTexts.title) },
  {
    name: 'developers-operation',
    as: 'nobody',
    at: '/developers#postUserTokens',
    shows: link('postUserTokens'),
  },
  { name: 'terms', as: 'nobody', at: '/tos', shows: heading(pageTexts.terms.title) },
  ...viewsOf('nobody', '/verify', [
    { name: 'verify', shows: heading(verification.title) },
    { name: 'verify-valid', act: chooseAgreement(), shows: text(verification.outcomes.valid.text) },
    {
      name: 'verify-several',
      act: chooseAgreement((agreement) => [
        agreement,
        agreement.replace('Jeep', 'Jeeq'),
        '%PDF-1.7',
        'a text',
      ]),
      shows: text(verification.notAnAgreement.other),
    },
  ]),
  {
    name: 'verify-unknown-number',
    as: 'nobody',
    at: `/verify?agreement=${'a'.repeat(24)}`,
    shows: heading(verification.standings.unknown.title),
  },
  {
    name: 'verify-number',
    as: 'nobody',
    at: async (world) => `/verify?agreement=${pkgIdIn(await world.packagePath('wrangler'))}`,
    shows: heading(verification.standings.stands.title),
  },
  {
    name: 'mail-stop',
    as: 'nobody',
    at: (world) => world.mailedLink(demoPeople.maya.email, unsubscribePath),
    shows: button(preferencesTexts.stop.button),
  },
  {
    name: 'mail-stop-invalid',
    as: 'nobody',
    at: `${unsubscribePath}?to=${'a'.repeat(24)}&kinds=requests&proof=none`,
    shows: heading(preferencesTexts.stop.invalidTitle),
    allowedErrors: [/^GET \/mail\/stop 404$/],
  },

  ...viewsOf('nobody', '/login', [
    { name: 'login', shows: heading(login.title) },
    { name: 'login-errors', act: press(login.submit), shows: text('Password is required.') },
    {
      name: 'login-refused',
      act: fill({ [login.email]: demoPeople.maya.email, [login.password]: 'not her password' }, login.submit),
      shows: text(login.failed),
      allowedErrors: [/^POST \/auth\/login 401$/],
    },
  ]),
  {
    name: 'login-signed-in',
    as: 'maya',
    at: '/login',
    // Opening a page as Maya makes the browser remember her.
    before: async (page) => {
      await page.goto('/profile')
      await page.getByText(demoPeople.maya.email).waitFor()
    },
    shows: text(login.signedInAs('Maya Whitfield')),
  },
  { name: 'login-for-help', as: 'nobody', at: '/help', shows: text(login.helpIsOpen) },
  { name: 'login-link', as: 'nobody', at: '/login/link#code=wrong', shows: text(loginLink.lead) },
  { name: 'login-link-invalid', as: 'nobody', at: '/login/link', shows: text(loginLink.invalid) },

  ...viewsOf('nobody', '/register/seller', [
    { name: 'register-seller', shows: heading(register.sellerTitle) },
    {
      name: 'register-seller-errors',
      act: fill(invalidRegistration, register.submit),
      // A field that never had the focus shows its error only after the button is pressed.
      shows: text('Your name is required.'),
    },
    {
      name: 'register-seller-refused',
      act: fill({ ...registration, [register.email]: demoPeople.daniel.email }, register.submit),
      shows: text(register.failed),
      allowedErrors: [/^POST \/auth\/register 409$/],
    },
  ]),
  {
    name: 'register-buyer',
    as: 'nobody',
    at: pageOf('/register/buyer', 'camry'),
    shows: heading(register.buyerTitle),
  },
  {
    name: 'register-broken-link',
    as: 'nobody',
    at: '/register?vin=1HGCM8',
    shows: text(register.brokenLink),
  },

  newcomerView('waiting', { shows: heading(verify.waitingTitle) }),
  newcomerView('waiting-sent-again', { act: press(verify.resend), shows: text(/^Email sent to/) }),
  newcomerView('waiting-other-address', {
    act: press(verify.wrongAddress),
    shows: (page) => page.getByLabel(verify.newAddress),
  }),
  {
    name: 'email-waiting-signed-out',
    as: 'nobody',
    at: '/email/somebody@example.com',
    shows: text(verify.ask),
  },
  {
    name: 'email-verified',
    as: 'newcomer',
    at: async (world, profile) => world.mailedLink(await world.registerNewcomer(profile, 'Ralph')),
    shows: text(verify.toDashboard),
  },
  {
    name: 'email-verify-failed',
    as: 'nobody',
    at: '/email/verify?code=nobody-was-ever-given-this-code',
    shows: text(verify.failed),
    allowedErrors: [/^GET \/auth\/email\/verify\/.* 400$/],
  },
  { name: 'email-verify-no-code', as: 'nobody', at: '/email/verify', shows: text(verify.noCode) },

  ...viewsOf('nobody', '/password/forgot', [
    { name: 'password-forgot', shows: heading(forgot.title) },
    {
      name: 'password-forgot-sent',
      act: fill({ [forgot.email]: 'rosa.delgado@example.com' }, forgot.submit),
      shows: text(/Check your inbox/),
    },
  ]),
  ...viewsOf('nobody', () => `/password/reset?code=some-code&exp=${Date.now() + 3_600_000}`, [
    {
      name: 'password-reset',
      shows: (page) => page.getByLabel(reset.confirmPassword, { exact: true }),
    },
    {
      name: 'password-reset-refused',
      act: fill(newPassword, reset.submit),
      shows: link(reset.resend),
      allowedErrors: [/^POST \/auth\/password\/reset 400$/],
    },
  ]),
  { name: 'password-reset-invalid', as: 'nobody', at: '/password/reset', shows: heading(reset.invalidTitle) },
  {
    name: 'password-reset-done',
    as: 'newcomer',
    at: async (world, profile) => {
      const email = await world.registerNewcomer(profile, 'Regina')
      await profile.request.get(verifyEndpoint(await world.mailedLink(email)))
      await profile.request.post('/auth/password/forgot', { data: { email } })
      return world.mailedLink(email, '/password/reset')
    },
    act: fill(newPassword, reset.submit),
    shows: text(reset.done),
  },

  ...viewsOf('nobody', pageOf('/car', 'camry'), [
    { name: 'car', shows: text(carTexts.public.sellerDetails) },
    {
      name: 'car-photos-opened',
      before: (_, world) => world.addPhotos('maya', demoCars.camry.vin),
      act: click(link('Photo 2 of 3')),
      shows: (page) => page.getByRole('dialog').getByText('Photo 2 of 3'),
    },
  ]),
  {
    name: 'car-sale-pending',
    as: 'nobody',
    at: pageOf('/car', 'cx5'),
    shows: text(carTexts.public.pendingHint),
  },
  { name: 'car-own', as: 'maya', at: pageOf('/car', 'camry'), shows: text(carTexts.public.ownCar) },
  {
    name: 'car-signed-in',
    as: 'elena',
    at: pageOf('/car', 'civic'),
    shows: text(carTexts.public.sellerDetails),
  },
  {
    name: 'car-invalid',
    as: 'nobody',
    at: '/car?vin=1FTFW1ET5DF000000',
    shows: text(carTexts.public.invalid),
    allowedErrors: [/^GET \/car 404$/],
  },

  ...viewsOf('nobody', pageOf('/buy-this-car', 'camry'), [
    { name: 'buy-this-car-create', shows: heading(buyThisCar.interested) },
    {
      name: 'buy-this-car-sign-in-refused',
      act: inSequence(
        click(tab(buyThisCar.signIn)),
        fill(
          { [login.email]: demoPeople.elena.email, [login.password]: 'not her password' },
          buyThisCar.submitSignIn,
        ),
      ),
      shows: text(buyThisCar.signInFailed),
      allowedErrors: [/^POST \/auth\/login 401$/],
    },
  ]),
  {
    name: 'buy-this-car-signed-in',
    as: 'nora',
    at: pageOf('/buy-this-car', 'camry'),
    shows: text(/^Continue as/),
  },
  {
    name: 'buy-this-car-invalid',
    as: 'nobody',
    at: '/buy-this-car',
    shows: text(carTexts.public.invalid),
    allowedErrors: [/^GET \/buy-this-car 404$/],
  },
]

/** The endpoint that the page of a verification link calls. */
const verifyEndpoint = (address: string) =>
  `/auth/email/verify/${new URL(address, 'http://localhost').searchParams.get('code')}`
