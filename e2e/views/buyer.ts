import { packageTexts as pkg, termSheetTexts as termSheet } from '@keyturn/contract/deals/agreement-texts.ts'
import { buyingTexts as buyer } from '@keyturn/contract/deals/buying-texts.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { agreementViews } from './agreement.ts'
import { choosesFrom, dialog, fill, fills, heading, holds, press, presses, text, type View } from './view.ts'
import type { World } from './world.ts'

const { home } = dealTexts
const pageOf = (car: Parameters<World['linkTo']>[0]) => (world: World) => `/buyer${world.linkTo(car)}`

/** Progress as it stands once a dealer's system has answered. */
const withSteps = (more: object, ...said: object[]) =>
  holds(/\/progress\/[0-9a-f]{24}\//, async (route) => {
    const response = await route.fetch()
    const dealerSteps = said.map((step, day) => ({ at: `2026-11-2${day}T15:04:00Z`, ...step }))
    return route.fulfill({ response, json: { ...(await response.json()), ...more, dealerSteps } })
  })
const saysMore = withSteps(
  {},
  { step: 'accepted' },
  {
    step: 'needsDocument',
    document: 'Please send us a photo of the front and back of your driver’s license.',
  },
  { step: 'appointment', place: '200 Broadway, Cambridge, MA', time: '2026-11-25T15:00:00-05:00' },
  { step: 'paidSeller' },
)
const callsOff = withSteps(
  { calledOff: true },
  { step: 'accepted' },
  { step: 'cancelled', reason: 'The title shows a lien that the lender could not explain.' },
)

/** From the dashboard through the wizard to the final package, as a buyer sees them. */
export const buyerViews: View[] = [
  { name: 'home-buying', as: 'elena', at: '/home?view=buying', shows: text('Kia') },
  { name: 'home-buying-empty', as: 'omar', at: '/home?view=buying', shows: text(home.buyerEmpty) },
  {
    name: 'home-buying-rejected',
    as: 'elena',
    at: '/home?view=buying',
    act: presses(/^See answer/),
    shows: dialog(home.rejectedTitle),
  },
  {
    name: 'home-buying-edit-price',
    as: 'elena',
    at: '/home?view=buying',
    act: choosesFrom(/^More: 2018 Honda Civic/, /^Edit/),
    shows: dialog(home.editPrice),
  },
  {
    name: 'home-buying-delete',
    as: 'elena',
    at: '/home?view=buying',
    act: choosesFrom(/^More: 2018 Honda Civic/, /^Delete/),
    shows: dialog(home.deleteRequestTitle),
  },

  { name: 'wizard-0-trade', as: 'elena', at: pageOf('outback'), shows: heading(buyer.tradeQuestion) },
  { name: 'wizard-1-trades', as: 'marcus', at: pageOf('bmw'), shows: text(/2009 Subaru Forester/) },
  {
    name: 'wizard-1-checked',
    as: 'marcus',
    at: pageOf('bmw'),
    act: (page) => page.getByRole('checkbox').first().check(),
    shows: (page) => page.getByRole('button', { name: buyer.continue, exact: true }),
  },
  { name: 'wizard-3-financing', as: 'elena', at: pageOf('sonata'), shows: heading(buyer.financingQuestion) },
  {
    name: 'wizard-3-trade-pending',
    as: 'grace',
    at: pageOf('jetta'),
    shows: heading(buyer.approvalPending),
  },
  {
    name: 'wizard-4-financing-info',
    as: 'grace',
    at: pageOf('sonata'),
    shows: heading(buyer.financingTitle),
  },
  { name: 'wizard-5-request', as: 'elena', at: pageOf('silverado'), shows: heading(buyer.requestTitle) },
  {
    name: 'wizard-5-errors',
    as: 'elena',
    at: pageOf('silverado'),
    act: fills({ [buyer.sellersVin]: '', [buyer.agreedPrice]: '' }, buyer.submitRequest),
    shows: text('Price is required'),
  },
  {
    name: 'wizard-5-not-saved',
    as: 'elena',
    before: (page) => page.route('**/cars/request', (route) => route.abort()),
    at: pageOf('silverado'),
    act: fills({ [buyer.agreedPrice]: '15000' }, buyer.submitRequest),
    shows: text(buyer.saveFailed),
  },
  { name: 'wizard-6-requested', as: 'elena', at: pageOf('civic'), shows: heading(wizardTexts.signing.title) },
  {
    name: 'wizard-6-edit-price',
    as: 'elena',
    at: pageOf('civic'),
    act: presses(home.editPrice),
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'wizard-6-delete',
    as: 'elena',
    at: pageOf('civic'),
    act: presses(home.deleteRequest),
    shows: (page) => page.getByRole('dialog'),
  },
  { name: 'wizard-6-confirmed', as: 'elena', at: pageOf('golf'), shows: heading(wizardTexts.signing.title) },
  { name: 'wizard-6-held', as: 'elena', at: pageOf('cx5'), shows: heading(wizardTexts.signing.title) },
  { name: 'wizard-6-hold-over', as: 'elena', at: pageOf('mini'), shows: text(termSheet.expired) },
  { name: 'wizard-6-voided', as: 'elena', at: pageOf('mustang'), shows: text(termSheet.voided.yours) },
  { name: 'wizard-6-rejected', as: 'elena', at: pageOf('altima'), shows: heading(home.rejectedTitle) },
  { name: 'wizard-6-taken', as: 'elena', at: pageOf('f150'), shows: text(buyer.taken) },
  ...agreementViews('wizard-6-agreement', 'elena', pageOf('cx5'), 'Elena Marsh'),
  { name: 'wizard-7-waiting', as: 'elena', at: pageOf('soul'), shows: heading(termSheet.youSigned) },
  { name: 'wizard-7-passed', as: 'elena', at: pageOf('wrangler'), shows: heading(buyer.completeTitle) },
  {
    name: 'wizard-7-dealer-said',
    as: 'elena',
    before: saysMore,
    at: pageOf('wrangler'),
    shows: heading(dealersTexts.said.title('AutoNation')),
  },
  {
    name: 'wizard-7-called-off',
    as: 'elena',
    before: callsOff,
    at: pageOf('wrangler'),
    shows: heading(dealersTexts.calledOff.title('AutoNation')),
  },
  { name: 'wizard-7-completed', as: 'elena', at: pageOf('odyssey'), shows: text(buyer.completed) },
  {
    name: 'wizard-loading',
    as: 'elena',
    before: holds('**/progress/**', () => {}),
    at: pageOf('civic'),
    shows: text(buyer.loading),
    waits: true,
  },
  { name: 'wizard-enter-vin', as: 'omar', at: '/buyer', shows: dialog(buyer.enterVinTitle) },
  {
    name: 'wizard-enter-vin-error',
    as: 'omar',
    at: '/buyer',
    act: presses(buyer.submitVin),
    shows: text('VIN is required'),
  },
  {
    name: 'wizard-no-car',
    as: 'omar',
    at: '/buyer?vin=1HGCM82633A004352',
    shows: dialog(buyer.noCarTitle('1HGCM82633A004352')),
    expects: [/^PATCH \/progress\/add 404$/],
  },
  {
    name: 'wizard-own-car',
    as: 'maya',
    at: pageOf('camry'),
    shows: text(wizardTexts.ownCarTitle),
    expects: [/^PATCH \/progress\/add 409$/],
  },

  { name: 'package', as: 'elena', at: (world) => world.packageOf('wrangler'), shows: heading(pkg.title) },
  {
    name: 'package-print',
    as: 'elena',
    at: (world) => world.packageOf('odyssey'),
    shows: (page) => page.getByRole('article'),
    print: true,
  },
  {
    name: 'package-not-found',
    as: 'grace',
    at: (world) => world.packageOf('wrangler'),
    shows: text(pkg.notFound),
    expects: [/^GET \/progress\/pkg\/.* 404$/],
  },
  {
    name: 'package-without-id',
    as: 'maya',
    at: '/pkg',
    shows: text(pkg.notFound),
  },
  {
    name: 'package-complete',
    as: 'grace',
    administers: true,
    at: (world) => world.packageOf('wrangler'),
    act: presses(pkg.complete),
    shows: dialog(pkg.complete),
  },
]

/** Somebody who opens a shared link for the first time and answers the questions. */
export const buyerChanges: View[] = [
  {
    name: 'wizard-1-no-trades',
    as: 'omar',
    at: pageOf('camry'),
    act: presses(/^Yes\b/),
    shows: text(buyer.noTrades),
  },
  {
    name: 'wizard-2-trade-input',
    as: 'omar',
    at: pageOf('camry'),
    act: presses(buyer.addTrade),
    shows: heading(buyer.tradeInput),
  },
  {
    name: 'wizard-7-signed',
    as: 'elena',
    at: pageOf('cx5'),
    act: async (page) => {
      await press(page, termSheet.signAgreement)
      const sheet = page.getByRole('dialog')
      await fill(sheet, { [termSheet.name]: 'Elena Marsh', [termSheet.signature]: 'Elena Marsh' })
      await press(sheet, termSheet.agree)
    },
    shows: heading(buyer.completeTitle),
  },
]
