import type { Me } from '@keyturn/contract/accounts/administrators.ts'
import { administratorMarkerCookie } from '@keyturn/contract/accounts/endpoints.ts'
import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import {
  packageTexts as pkg,
  termSheetTexts as termSheet,
} from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { buyingTexts as buyer } from '@keyturn/contract/deals/buying-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { drawStrokes } from './draw-strokes.ts'
import {
  abortRequest,
  button,
  choose,
  click,
  dialog,
  fill,
  heading,
  inDialog,
  inSequence,
  intercept,
  interceptPreloaded,
  neverRespond,
  press,
  respondWith,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'
import type { World } from './world.ts'

const { home } = dealTexts
/** The cookie of a browser in which an administrator is signed in, too. */
const mark = `${administratorMarkerCookie}=1`
const operator: Me = {
  username: 'admin',
  role: 'OPERATOR',
  isFromSettings: true,
  hasCodes: false,
  mustEnroll: false,
}
const pageOf = (car: Parameters<World['linkTo']>[0]) => (world: World) => `/buyer${world.linkTo(car)}`
const packageOf = (world: World) => world.packagePath('wrangler')

const withDealerSteps = (more: object, ...steps: object[]) =>
  interceptPreloaded(/\/progress\/[0-9a-f]{24}\//, async (route) => {
    const response = await route.fetch()
    const dealerSteps = steps.map((step, day) => ({ at: `2026-11-2${day}T15:04:00Z`, ...step }))
    return route.fulfill({ response, json: { ...(await response.json()), ...more, dealerSteps } })
  })
const withAllSteps = withDealerSteps(
  // Before the appointment.
  { now: '2026-11-24T15:04:00Z' },
  { step: 'accepted' },
  {
    step: 'needsDocument',
    document: 'Please send us a photo of the front and back of your driver’s license.',
  },
  { step: 'appointment', place: '200 Broadway, Cambridge, MA', time: '2026-11-25T15:00:00-05:00' },
  { step: 'paidSeller' },
)
const withCancellation = withDealerSteps(
  { calledOff: true },
  { step: 'accepted' },
  { step: 'cancelled', reason: 'The title shows a lien that the lender could not explain.' },
)

const fillSignature = (name: string) =>
  inSequence(
    press(termSheet.signAgreement),
    inDialog(fill({ [termSheet.name]: name, [termSheet.signature]: name })),
  )
const agree = inDialog(press(termSheet.agree))

/** A buyer's dashboard, wizard and final package. */
export const buyerViews: View[] = [
  ...viewsOf('elena', '/home?view=buying', [
    { name: 'home-buying', shows: text('Kia') },
    {
      name: 'home-buying-rejected',
      confirms: 'RejectedDialog',
      act: press(/^See answer/),
      shows: dialog(home.rejectedTitle),
    },
    {
      name: 'home-buying-edit-price',
      confirms: 'EditPriceDialog',
      act: choose(/^More: 2018 Honda Civic/, /^Edit/),
      shows: dialog(home.editPrice),
    },
    {
      name: 'home-buying-delete',
      confirms: 'WithdrawDialog',
      act: choose(/^More: 2018 Honda Civic/, /^Delete/),
      shows: dialog(home.deleteRequestTitle),
    },
  ]),
  { name: 'home-buying-empty', as: 'omar', at: '/home?view=buying', shows: text(home.buyerEmpty) },

  { name: 'wizard-0-trade', as: 'elena', at: pageOf('outback'), shows: heading(buyer.tradeQuestion) },
  ...viewsOf('marcus', pageOf('bmw'), [
    { name: 'wizard-1-trades', shows: text(/2009 Subaru Forester/) },
    {
      name: 'wizard-1-checked',
      act: (page) => page.getByRole('checkbox').first().check(),
      shows: button(buyer.continue),
    },
  ]),
  { name: 'wizard-3-financing', as: 'elena', at: pageOf('sonata'), shows: heading(buyer.financingQuestion) },
  { name: 'wizard-3-trade-pending', as: 'grace', at: pageOf('jetta'), shows: heading(buyer.approvalPending) },
  {
    name: 'wizard-4-financing-info',
    as: 'grace',
    at: pageOf('sonata'),
    shows: heading(buyer.financingTitle),
  },
  ...viewsOf('elena', pageOf('silverado'), [
    { name: 'wizard-5-request', shows: heading(buyer.requestTitle) },
    {
      name: 'wizard-5-errors',
      act: fill({ [buyer.sellersVin]: '', [buyer.agreedPrice]: '' }, buyer.submitRequest),
      shows: text('Price is required'),
    },
    {
      name: 'wizard-5-not-saved',
      before: intercept('**/cars/request', abortRequest),
      act: fill({ [buyer.agreedPrice]: '15000' }, buyer.submitRequest),
      shows: text(buyer.saveFailed),
    },
  ]),
  ...viewsOf('elena', pageOf('civic'), [
    { name: 'wizard-6-proposed', shows: text(/proposes \$14,750/) },
    {
      name: 'wizard-loading',
      before: interceptPreloaded('**/progress/**', neverRespond),
      shows: text(buyer.loading),
      isLoading: true,
    },
  ]),
  { name: 'wizard-6-confirmed', as: 'elena', at: pageOf('golf'), shows: heading(wizardTexts.signing.title) },
  { name: 'wizard-6-hold-over', as: 'elena', at: pageOf('mini'), shows: text(termSheet.expired) },
  { name: 'wizard-6-voided', as: 'elena', at: pageOf('mustang'), shows: text(termSheet.voided.yours) },
  { name: 'wizard-6-rejected', as: 'elena', at: pageOf('altima'), shows: heading(home.rejectedTitle) },
  { name: 'wizard-6-taken', as: 'elena', at: pageOf('f150'), shows: text(buyer.taken) },
  ...viewsOf('elena', pageOf('cx5'), [
    { name: 'wizard-6-held', shows: heading(wizardTexts.signing.title) },
    {
      name: 'wizard-6-agreement-empty',
      confirms: 'SigningDialog',
      act: press(termSheet.signAgreement),
      shows: dialog(),
    },
    { name: 'wizard-6-agreement-filled', act: fillSignature('Elena Marsh'), shows: dialog() },
    {
      name: 'wizard-6-agreement-drawn',
      act: inSequence(fillSignature('Elena Marsh'), press(drawingTexts.open), drawStrokes),
      shows: (page) => page.getByRole('img', { name: drawingTexts.drawn('Elena Marsh') }),
    },
    {
      name: 'wizard-6-agreement-missing',
      act: inSequence(press(termSheet.signAgreement), agree),
      shows: text(termSheet.missing),
    },
    {
      name: 'wizard-6-agreement-other-name',
      act: inSequence(fillSignature('Chris Whitfield-Marsh'), agree),
      shows: text(/^Your account is in the name of/),
    },
  ]),
  { name: 'wizard-7-waiting', as: 'elena', at: pageOf('soul'), shows: heading(termSheet.youSigned) },
  ...viewsOf('elena', pageOf('wrangler'), [
    { name: 'wizard-7-passed', shows: heading(buyer.signedByBoth('AutoNation')) },
    {
      name: 'wizard-7-dealer-said',
      before: withAllSteps,
      shows: text(dealersTexts.said.paidSeller),
    },
    {
      name: 'wizard-7-called-off',
      before: withCancellation,
      shows: heading(dealersTexts.calledOff.title('AutoNation')),
    },
  ]),
  { name: 'wizard-7-completed', as: 'elena', at: pageOf('odyssey'), shows: heading(buyer.completeTitle) },
  { name: 'wizard-enter-vin', as: 'omar', at: '/buyer', shows: dialog(buyer.enterVinTitle) },
  {
    name: 'wizard-no-car',
    as: 'omar',
    at: '/buyer?vin=1HGCM82633A004352',
    shows: dialog(buyer.noCarTitle('1HGCM82633A004352')),
    allowedErrors: [/^PATCH \/progress\/add 404$/],
  },
  {
    name: 'wizard-own-car',
    as: 'maya',
    at: pageOf('camry'),
    shows: text(wizardTexts.ownCarTitle),
    allowedErrors: [/^PATCH \/progress\/add 409$/],
  },

  { name: 'package', as: 'elena', at: packageOf, shows: heading(pkg.agreement), print: true },
  { name: 'package-raw', as: 'elena', at: packageOf, act: click(tab(pkg.raw)), shows: text('"sheet"') },
  {
    name: 'package-complete',
    confirms: 'CompleteDeal',
    as: 'elena',
    at: packageOf,
    before: inSequence(intercept(/\/admin\/me$/, respondWith(operator)), (page) =>
      page.addInitScript((cookie) => Object.defineProperty(document, 'cookie', { get: () => cookie }), mark),
    ),
    act: press(pkg.complete),
    shows: dialog(pkg.complete),
  },
  {
    name: 'package-not-found',
    as: 'grace',
    at: packageOf,
    shows: text(pkg.notFound),
    allowedErrors: [/^GET \/progress\/pkg\/.* 404$/],
  },
]

/** Views of a buyer that change the demo data. */
export const buyerChanges: View[] = [
  ...viewsOf('omar', pageOf('camry'), [
    { name: 'wizard-1-no-trades', act: press(/^Yes\b/), shows: text(buyer.noTrades) },
    { name: 'wizard-2-trade-input', act: press(buyer.addTrade), shows: heading(buyer.tradeInput) },
  ]),
  {
    name: 'wizard-7-signed',
    as: 'elena',
    at: pageOf('cx5'),
    act: inSequence(fillSignature('Elena Marsh'), agree),
    shows: heading(buyer.signedByBoth('AutoNation')),
  },
]
