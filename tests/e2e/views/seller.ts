import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { termSheetTexts as termSheet } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { claimTexts } from '@keyturn/contract/cars/claim-texts.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carTexts, detailTexts } from '@keyturn/contract/cars/texts.ts'
import { dealersTexts } from '@keyturn/contract/dealers/texts.ts'
import { sellingTexts as seller } from '@keyturn/contract/deals/selling-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { messagesTexts } from '@keyturn/contract/messages/texts.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { expect, type Page, type Route } from '@playwright/test'
import { type DemoCarName, demoCars } from '../../../server/commands/seed/demo-cars.ts'
import { aPicture } from '../../support/pictures.ts'
import { dispatchVisibilityChange, goOffline } from '../support/network.ts'
import { respondWithMessages } from './messages.ts'
import {
  abortRequest,
  alert,
  button,
  choose,
  dialog,
  fill,
  fillFields,
  heading,
  inDialog,
  inSequence,
  intercept,
  interceptPreloaded,
  link,
  neverRespond,
  press,
  text,
  type View,
  viewsOf,
} from './view.ts'
import type { World } from './world.ts'

const { home } = dealTexts
const { add, edit, scan, share, fields, words } = carTexts
/** Created once, so that every size of a view shows the same pictures. */
const pictures = Promise.all([900, 640, 480, 1200].map((width) => aPicture(width, 600)))
const pageOf = (car: Parameters<World['linkTo']>[0]) => (world: World) => `/car/seller${world.linkTo(car)}`

const listOfCars = /\/cars\/[0-9a-f]{24}$/

/** Adds sales that the dealer canceled to the response. */
const withCancelledSale = (...names: DemoCarName[]) =>
  interceptPreloaded(listOfCars, async (route) => {
    const response = await route.fetch()
    const cars: { vin: string }[] = await response.json()
    const vins: string[] = names.map((name) => demoCars[name].vin)
    const calledOffSales = ['Elena Marsh', 'Jordan Blake'].map((buyer, at) => ({
      _id: String(at).repeat(24),
      buyerId: String(at).repeat(24),
      buyer,
      dealer: 'AutoNation',
      reason: 'The title shows a lien that the lender could not explain.',
      at: `2026-11-2${1 - at}T15:04:00Z`,
    }))
    return route.fulfill({
      response,
      json: cars.map((car) => (vins.includes(car.vin) ? { ...car, calledOffSales } : car)),
    })
  })

const accord = {
  [add.vinLabel]: '1HGCM82633A004352',
  [fields.make]: 'Honda',
  [fields.carModel]: 'Accord',
  [fields.year]: '2003',
  [fields.mileage]: '98400',
  [fields.color]: 'Silver',
  [fields.trim]: 'EX',
  [fields.price]: '9500',
}

/** Fills in a car without a loan. The loan is a radio group, not a text field. */
const addCar =
  (car: Record<string, string>, ...names: string[]) =>
  async (page: Page) => {
    await fillFields(page, car)
    await page.getByRole('radio', { name: 'No', exact: true }).check()
    await press(...names)(page)
  }

const typeMessage = (message: string) =>
  inSequence(press(/^Message Grace/), (page) => page.getByLabel(/^Message to /).fill(message))
const question = 'Can you come on Saturday at ten?'

/** Pages whose deal ended after they were opened. */
const endedDeals = new WeakSet<Page>()

const confirmIntended = (page: Page, world: World, car: DemoCarName) => {
  const { userId, vin } = Object.fromEntries(new URLSearchParams(world.linkTo(car)))
  return page.request.patch('/cars/buyer', { data: { userId, vin, status: 'ACCEPTED' } })
}

/** Only touch devices offer to scan a VIN. */
const enableTouch = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** Adds photos to the trades of the requests, because accepted trades take no new photos. */
const withTradePhotos = async (page: Page) => {
  const [picture] = await pictures
  await page.route('**/photos/**', (route) => route.fulfill({ body: picture, contentType: 'image/jpeg' }))
  await page.route('**/cars/requests/*', async (route) => {
    const response = await route.fetch()
    const requests: { trades: object[] }[] = await response.json()
    const photos = [1, 2, 3, 4, 5].map((id) => ({
      id: String(id).repeat(64),
      width: 900,
      height: 600,
      placeholder: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      caption: '',
    }))
    for (const request of requests) request.trades = request.trades.map((trade) => ({ ...trade, photos }))
    await route.fulfill({ response, json: requests })
  })
}

/** As while the buyers' accounts are suspended. */
async function pauseRequests(route: Route) {
  const response = await route.fetch()
  const requests = (await response.json()) as object[]
  await route.fulfill({ response, json: requests.map((request) => ({ ...request, isPaused: true })) })
}

/** A seller's dashboard, cars and deals. */
export const sellerViews: View[] = [
  ...viewsOf('maya', '/home?view=selling', [
    { name: 'home-selling', shows: text('Outback') },
    {
      name: 'home-selling-waiting',
      before: interceptPreloaded(listOfCars, neverRespond),
      shows: heading(home.sellerTitle),
      isLoading: true,
    },
    {
      name: 'home-selling-failed',
      before: interceptPreloaded(listOfCars, abortRequest),
      shows: text(home.sellerFailed),
    },
    {
      name: 'home-selling-delete',
      confirms: 'DeleteListingDialog',
      act: choose(/^More: 2019 Toyota Camry SE/, /^Delete/),
      shows: dialog(home.deleteListingTitle),
    },
  ]),
  { name: 'home-selling-empty', as: 'nora', at: '/home?view=selling', shows: text(home.sellerEmpty) },

  ...viewsOf('nora', '/car/input', [
    { name: 'add-car', shows: heading(add.title) },
    { name: 'add-car-errors', act: press(add.submit), shows: text('Car make is required.') },
    { name: 'add-car-scan-button', before: enableTouch, shows: button(scan.open) },
    { name: 'add-car-scan-refused', before: enableTouch, act: press(scan.open), shows: text(scan.refused) },
    {
      name: 'add-car-scan',
      before: inSequence(enableTouch, (page) => page.context().grantPermissions(['camera'])),
      act: press(scan.open),
      shows: text(scan.seen.nothing),
    },
    {
      name: 'add-car-vin-found',
      act: fill({ [add.vinLabel]: '1HGCM82633A004352' }, add.verify),
      shows: text(add.verified),
    },
    {
      name: 'add-car-vin-unknown',
      act: fill({ [add.vinLabel]: '11111111111111111' }, add.verify),
      shows: text(add.byHand),
      allowedErrors: [/^GET \/vin\/\w+ 422$/],
    },
    {
      name: 'add-car-trim-choice',
      act: fill({ [add.vinLabel]: '5FNRL5H61EB075531' }),
      shows: text(add.trimChoice),
    },
    {
      name: 'add-car-vin-changed',
      act: async (page) => {
        await fillFields(page, { [add.vinLabel]: '1HGCM82633A004352' })
        // The announcement from the previous view may still be visible.
        await expect(page.getByLabel(fields.make, { exact: true })).toHaveValue(/honda/i)
        await fillFields(page, { [add.vinLabel]: '1HGCM82633A00435' })
      },
      shows: text(add.earlierQuestion),
    },
    {
      name: 'add-car-check-digit',
      act: fill({ [add.vinLabel]: '1HGCM82633A004353' }),
      shows: text(carTexts.vinCheckDigit),
    },
    {
      name: 'add-car-confirm',
      confirms: 'ConfirmCarDialog',
      act: addCar(accord, add.submit),
      shows: dialog(add.confirmTitle),
    },
    {
      name: 'add-car-failed',
      confirms: 'AddCarScreen',
      act: addCar({ ...accord, [add.vinLabel]: demoCars.camry.vin }, add.submit, add.confirm),
      shows: dialog(add.failedTitle),
      allowedErrors: [/^POST \/cars\/input 409$/],
    },
    {
      name: 'add-car-claim',
      confirms: 'ClaimDialog',
      act: addCar(
        { ...accord, [add.vinLabel]: demoCars.camry.vin },
        add.submit,
        add.confirm,
        claimTexts.button,
      ),
      shows: dialog(claimTexts.title),
      allowedErrors: [/^POST \/cars\/input 409$/],
    },
  ]),

  ...viewsOf('maya', pageOf('camry'), [
    { name: 'share', shows: text(words.see) },
    { name: 'share-copied', act: press(share.copy), shows: button(share.copied), isTransient: true },
    { name: 'share-more', act: press(share.more), shows: text(share.printFlyer) },
    {
      name: 'share-flyer',
      confirms: 'FlyerDialog',
      act: choose(share.more, share.printFlyer),
      shows: dialog(flyerTexts.dialog.title),
    },
    {
      name: 'share-price',
      act: press(share.editPrice),
      shows: (page) => page.getByLabel(share.newPrice),
    },
    { name: 'share-edit', confirms: 'EditCarDialog', act: press(edit.open), shows: dialog(edit.title) },
    {
      name: 'share-by-sheet',
      before: (page) => page.addInitScript(() => Reflect.set(navigator, 'share', async () => {})),
      shows: button(share.send),
    },
    {
      name: 'share-called-off',
      before: withCancelledSale('camry'),
      allowedErrors: [/^GET \/messages\/\w+ 404$/],
      shows: text(dealersTexts.calledOff.saleTo('AutoNation', 'Elena Marsh')),
    },
  ]),
  ...viewsOf('maya', pageOf('outback'), [
    {
      name: 'share-photos',
      act: async (page) => {
        const files = (await pictures).map((buffer, at) => ({
          name: `${at}.jpg`,
          mimeType: 'image/jpeg',
          buffer,
        }))
        await page.locator('input[type=file][multiple]').setInputFiles(files)
        await page
          .locator('img[src^="/photos/"]')
          .nth(files.length - 1)
          .waitFor()
      },
      shows: text(carTexts.photos.count(4)),
    },
    {
      name: 'share-describe-errors',
      act: inSequence(press(words.describe), fill({ [detailTexts.owners.label]: '100' }, words.save)),
      shows: text(fieldTexts.owners),
    },
  ]),
  {
    name: 'share-edit-signed',
    as: 'daniel',
    at: pageOf('soul'),
    act: inSequence(press(edit.open), fill({ [fields.mileage]: '44100' }, edit.save)),
    shows: text(edit.termsTitle),
  },
  ...viewsOf('maya', pageOf('civic'), [
    { name: 'share-requests', shows: text('Marcus Reed') },
    {
      name: 'share-requests-paused',
      before: intercept('**/cars/requests/*', pauseRequests),
      shows: text(suspensionTexts.paused.row),
    },
    {
      name: 'share-deny-paused',
      confirms: 'TurnDownDialog',
      before: intercept('**/cars/requests/*', pauseRequests),
      act: press(seller.deny),
      shows: dialog(seller.denyTitle),
    },
    { name: 'share-requests-photos', before: withTradePhotos, shows: link('Photo 1 of 5') },
    {
      name: 'share-propose',
      confirms: 'ProposePriceDialog',
      act: press(seller.proposal.change),
      shows: dialog(),
    },
    {
      name: 'share-confirm-one',
      confirms: 'ConfirmBuyerDialog',
      act: press(new RegExp(`^${seller.confirmIntendedBuyer}: `)),
      shows: text(/^Confirm .+ as your buyer/),
    },
    {
      name: 'share-requests-failed',
      before: intercept('**/cars/requests/*', abortRequest),
      shows: (page) => alert(page.getByRole('main')),
    },
    {
      name: 'share-deny',
      confirms: 'TurnDownDialog',
      act: inSequence(
        press(seller.deny),
        fill({ [seller.denyMessage]: 'Thank you, but I have found a buyer closer to home.' }),
      ),
      shows: dialog(seller.denyTitle),
    },
    {
      name: 'messages-request',
      before: respondWithMessages,
      act: press(/^Message Grace Kim/),
      shows: text(messagesTexts.report.reported),
    },
    {
      name: 'request-timeline',
      act: press(seller.storyOf('Grace Kim')),
      shows: dialog(seller.storyOf('Grace Kim')),
    },
  ]),
  ...viewsOf('maya', pageOf('f150'), [
    {
      name: 'messages-deal',
      before: respondWithMessages,
      act: press(/^Message Grace/),
      shows: text(messagesTexts.report.reported),
    },
    {
      name: 'messages-too-long',
      before: respondWithMessages,
      act: typeMessage('x'.repeat(2050)),
      shows: text('50 characters too many'),
    },
    {
      name: 'messages-over',
      before: inSequence(respondWithMessages, (page) =>
        page.route('**/messages/*', async (route) => {
          if (route.request().method() !== 'GET' || !endedDeals.has(page)) return route.fallback()
          return route.fulfill({ json: { messages: [], next: null, isOpen: false } })
        }),
      ),
      act: inSequence(typeMessage(question), (page) => {
        endedDeals.add(page)
        return page.evaluate(dispatchVisibilityChange)
      }),
      shows: text(messagesTexts.keptUnsent),
    },
    {
      name: 'messages-not-sent',
      before: inSequence(
        respondWithMessages,
        intercept('**/messages/*', (route) =>
          route.request().method() === 'POST' ? route.abort() : route.fallback(),
        ),
      ),
      act: inSequence(typeMessage(question), press(messagesTexts.send)),
      shows: text(messagesTexts.notSent),
    },
    {
      name: 'messages-report',
      confirms: 'ReportDialog',
      before: respondWithMessages,
      act: press(/^Message Grace/, /^Report the message/),
      shows: dialog(messagesTexts.report.title),
    },
    { name: 'deal-1-term-sheet', shows: heading(termSheet.title) },
    {
      name: 'deal-1-release',
      confirms: 'TurnDownDialog',
      act: press(seller.release),
      shows: dialog(seller.release),
    },
    {
      name: 'deal-1-agreement-empty',
      confirms: 'SigningDialog',
      act: press(termSheet.signAgreement),
      shows: dialog(),
    },
  ]),
  {
    name: 'share-hold-lapsed',
    as: 'daniel',
    at: pageOf('mini'),
    shows: text(/^The 72 hours ended without Elena Marsh/),
  },
  {
    name: 'deal-1-voided',
    as: 'daniel',
    at: pageOf('mustang'),
    shows: text(termSheet.voided.theirs('Elena Marsh')),
  },
  {
    name: 'deal-2-waiting',
    as: 'maya',
    at: pageOf('cx5'),
    shows: text("Waiting for Elena Marsh's signature"),
  },
  ...viewsOf('maya', pageOf('wrangler'), [
    { name: 'deal-2-passed', shows: heading(seller.passedTitle('AutoNation')) },
    { name: 'deal-2-agreement', act: press(termSheet.view), shows: dialog(), print: true },
  ]),
  { name: 'deal-3-complete', as: 'maya', at: pageOf('odyssey'), shows: heading(seller.completeTitle) },
  { name: 'deal-failed', as: 'maya', at: '/car/seller?vin=NOSUCHVIN0000', shows: text(seller.failed) },
]

export const sellerChanges: View[] = [
  {
    name: 'share-not-up-to-date',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await button(share.editPrice)(page).waitFor()
      await goOffline(page)
      await page.evaluate(dispatchVisibilityChange)
    },
    shows: text(/^We could not refresh this/),
  },
  {
    name: 'share-edit-changed',
    as: 'maya',
    at: pageOf('camry'),
    act: inSequence(press(edit.open), fill({ [fields.color]: 'Midnight blue' }), (page) =>
      page.request.patch('/cars/edit', {
        data: { vin: demoCars.camry.vin, mileage: 48_900, trim: 'SE Nightshade' },
      }),
    ),
    shows: text(edit.changed),
  },
  {
    name: 'deal-1-lapsed',
    as: 'daniel',
    before: (page, world) => confirmIntended(page, world, 'mini'),
    at: pageOf('mini'),
    shows: text(termSheet.voided.lapsed),
  },
  {
    name: 'add-car-added',
    as: 'nora',
    at: '/car/input',
    act: addCar(accord, add.submit, add.confirm),
    shows: heading(add.done),
  },
  {
    name: 'share-price-updated',
    as: 'maya',
    at: pageOf('camry'),
    act: inSequence(press(share.editPrice), fill({ [share.newPrice]: '17500' }, share.savePrice)),
    shows: text(share.priceUpdated),
    isTransient: true,
  },
  {
    name: 'share-confirmed',
    as: 'maya',
    at: pageOf('civic'),
    act: inSequence(press(seller.confirm), inDialog(press(seller.confirm))),
    shows: heading(seller.confirmed),
  },
]
