import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { termSheetTexts as termSheet } from '@keyturn/contract/deals/agreement-texts.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import { messagesTexts } from '@keyturn/contract/deals/messages/messages-texts.ts'
import { sellingTexts as seller } from '@keyturn/contract/deals/selling-texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { fieldTexts } from '@keyturn/contract/kit/fields.ts'
import { expect, type Page } from '@playwright/test'
import { type CarName, demoCars } from '../../server/seed/cars.ts'
import { aPicture } from '../../server/test/pictures.ts'
import { comeBackToTab, goOffline } from '../house/network.ts'
import { agreementViews } from './agreement.ts'
import { hasMessages } from './messages.ts'
import { choosesFrom, dialog, fill, fills, heading, holds, press, presses, text, type View } from './view.ts'
import type { World } from './world.ts'

const { home } = dealTexts
const { add, edit, scan, share, fields, words } = carTexts
/** The same each time, so that whoever looks again finds what is there. */
const pictures = Promise.all([900, 640, 480, 1200].map((width) => aPicture(width, 600)))
const pageOf = (car: Parameters<World['linkTo']>[0]) => (world: World) => `/car/seller${world.linkTo(car)}`

/** As after a sale that the dealer has called off. */
const wasCalledOff = (...names: CarName[]) =>
  holds(/\/cars\/[0-9a-f]{24}$/, async (route) => {
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

/** A car without a loan, whose question is no text field. */
const adds =
  (car: Record<string, string>, ...names: string[]) =>
  async (page: Page) => {
    await fill(page, car)
    await page.getByRole('radio', { name: 'No', exact: true }).check()
    await presses(...names)(page)
  }

const mendMileage = async (page: Page, mileage: string) => {
  await press(page, edit.open)
  await fill(page, { [fields.mileage]: mileage })
  await press(page, edit.save)
}

/** Pages whose deal has ended since they were opened. */
const isOver = new WeakSet<Page>()

const confirmIntended = (page: Page, world: World, car: CarName) => {
  const { userId, vin } = Object.fromEntries(new URLSearchParams(world.linkTo(car)))
  return page.request.patch('/cars/buyer', { data: { userId, vin, status: 'ACCEPTED' } })
}

/** As on a phone, which is held to a label. */
const inHand = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** As if the demo's trades had been photographed before they were accepted. */
const withPhotosOfTrades = async (page: Page) => {
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

/** From the dashboard to the completed deal, as a seller sees it. */
export const sellerViews: View[] = [
  { name: 'home-selling', as: 'maya', at: '/home?view=selling', shows: text('Outback') },
  { name: 'home-selling-empty', as: 'nora', at: '/home?view=selling', shows: text(home.sellerEmpty) },
  {
    name: 'home-selling-waiting',
    as: 'maya',
    before: holds(/\/cars\/[0-9a-f]{24}$/, () => {}),
    at: '/home?view=selling',
    shows: heading(home.sellerTitle),
    waits: true,
  },
  {
    name: 'home-selling-failed',
    as: 'maya',
    before: holds(/\/cars\/[0-9a-f]{24}$/, (route) => route.abort()),
    at: '/home?view=selling',
    shows: text(home.sellerFailed),
  },
  {
    name: 'home-selling-delete',
    as: 'maya',
    at: '/home?view=selling',
    act: choosesFrom(/^More: 2019 Toyota Camry SE/, /^Delete/),
    shows: dialog(home.deleteListingTitle),
  },

  { name: 'add-car', as: 'nora', at: '/car/input', shows: heading(add.title) },
  {
    name: 'add-car-errors',
    as: 'nora',
    at: '/car/input',
    act: presses(add.submit),
    shows: text('Car make is required.'),
  },
  {
    name: 'add-car-scan-button',
    as: 'nora',
    before: inHand,
    at: '/car/input',
    shows: (page) => page.getByRole('button', { name: scan.open }),
  },
  {
    name: 'add-car-scan-refused',
    as: 'nora',
    before: inHand,
    at: '/car/input',
    act: presses(scan.open),
    shows: text(scan.refused),
  },
  {
    name: 'add-car-scan',
    as: 'nora',
    before: async (page) => {
      await inHand(page)
      await page.context().grantPermissions(['camera'])
    },
    at: '/car/input',
    act: presses(scan.open),
    shows: text(scan.seen.nothing),
  },
  {
    name: 'add-car-vin-found',
    as: 'nora',
    at: '/car/input',
    act: fills({ [add.vinLabel]: '1HGCM82633A004352' }, add.verify),
    shows: text(add.verified),
  },
  {
    name: 'add-car-vin-unknown',
    as: 'nora',
    at: '/car/input',
    act: fills({ [add.vinLabel]: '11111111111111111' }, add.verify),
    shows: text(add.byHand),
    expects: [/^GET \/vin\/\w+ 422$/],
  },
  {
    name: 'add-car-trim-choice',
    as: 'nora',
    at: '/car/input',
    act: fills({ [add.vinLabel]: '5FNRL5H61EB075531' }),
    shows: text(add.trimChoice),
  },
  {
    name: 'add-car-vin-changed',
    as: 'nora',
    at: '/car/input',
    act: async (page) => {
      await fill(page, { [add.vinLabel]: '1HGCM82633A004352' })
      // What the view before has announced may still stand there.
      await expect(page.getByLabel(fields.make, { exact: true })).toHaveValue(/honda/i)
      await fill(page, { [add.vinLabel]: '1HGCM82633A00435' })
    },
    shows: text(add.earlierQuestion),
  },
  {
    name: 'add-car-numbers',
    as: 'nora',
    at: '/car/input',
    act: fills({ [fields.year]: '1e5', [fields.mileage]: '6.500', [fields.price]: '-100' }, add.submit),
    shows: text('Invalid mileage.'),
  },
  {
    name: 'add-car-check-digit',
    as: 'nora',
    at: '/car/input',
    act: fills({ [add.vinLabel]: '1HGCM82633A004353' }),
    shows: text(carTexts.vinCheckDigit),
  },
  {
    name: 'add-car-short-vin',
    as: 'nora',
    at: '/car/input',
    act: fills({ [add.vinLabel]: '1HGCM82633A00435', [fields.year]: '2003' }),
    shows: text(carTexts.vinShort),
  },
  {
    name: 'add-car-confirm',
    as: 'nora',
    at: '/car/input',
    act: adds(accord, add.submit),
    shows: dialog(add.confirmTitle),
  },
  {
    name: 'add-car-failed',
    as: 'nora',
    at: '/car/input',
    act: adds({ ...accord, [add.vinLabel]: demoCars.camry.vin }, add.submit, add.confirm),
    shows: dialog(add.failedTitle),
    expects: [/^POST \/cars\/input 409$/],
  },

  { name: 'share', as: 'maya', at: pageOf('camry'), shows: text(words.see) },
  { name: 'share-without-price', as: 'maya', at: pageOf('outback'), shows: text(words.see) },
  {
    name: 'share-photos',
    as: 'maya',
    at: pageOf('outback'),
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
    name: 'share-describe',
    as: 'maya',
    at: pageOf('outback'),
    act: presses(words.describe),
    shows: (page) => page.getByLabel(words.description),
  },
  {
    name: 'share-describe-errors',
    as: 'maya',
    at: pageOf('outback'),
    act: async (page) => {
      await press(page, words.describe)
      await fill(page, { [words.owners]: '100' })
      await press(page, words.save)
    },
    shows: text(fieldTexts.owners),
  },
  {
    name: 'share-copied',
    as: 'maya',
    at: pageOf('camry'),
    act: presses(share.copy),
    shows: text(share.copied),
    passes: true,
  },
  {
    name: 'share-more',
    as: 'maya',
    at: pageOf('camry'),
    act: presses(share.more),
    shows: text(share.printFlyer),
  },
  {
    name: 'share-flyer',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await press(page, share.more)
      await page.getByRole('menuitem', { name: share.printFlyer }).click()
    },
    shows: dialog(flyerTexts.dialog.title),
  },
  {
    name: 'share-price',
    as: 'maya',
    at: pageOf('camry'),
    act: presses(share.editPrice),
    shows: (page) => page.getByLabel(share.newPrice),
  },
  {
    name: 'share-price-error',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await press(page, share.editPrice)
      await fill(page, { [share.newPrice]: '' })
      await press(page, share.savePrice)
    },
    shows: text(fieldTexts.price),
  },
  {
    name: 'share-edit',
    as: 'maya',
    at: pageOf('camry'),
    act: presses(edit.open),
    shows: dialog(edit.title),
  },
  {
    name: 'share-edit-errors',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await press(page, edit.open)
      await fill(page, { [fields.mileage]: '', [fields.color]: '', [fields.zipCode]: '' })
      await press(page, edit.save)
    },
    shows: text('Invalid mileage.'),
  },
  {
    name: 'share-edit-asked',
    as: 'maya',
    at: pageOf('civic'),
    act: (page) => mendMileage(page, '63100'),
    shows: text(edit.termsTitle),
  },
  {
    name: 'share-edit-signed',
    as: 'daniel',
    at: pageOf('soul'),
    act: (page) => mendMileage(page, '44100'),
    shows: text(edit.termsTitle),
  },
  {
    name: 'share-by-sheet',
    as: 'maya',
    before: (page) => page.addInitScript(() => Reflect.set(navigator, 'share', async () => {})),
    at: pageOf('camry'),
    shows: (page) => page.getByRole('button', { name: share.send }),
  },
  { name: 'share-requests', as: 'maya', at: pageOf('civic'), shows: text('Marcus Reed') },
  {
    name: 'share-requests-photos',
    as: 'maya',
    before: withPhotosOfTrades,
    at: pageOf('civic'),
    shows: (page) => page.getByRole('link', { name: 'Photo 1 of 5' }).first(),
  },
  {
    name: 'share-confirm-which',
    as: 'maya',
    at: pageOf('civic'),
    act: presses(seller.confirmIntendedBuyer),
    shows: text(seller.who),
  },
  {
    name: 'share-confirm-one',
    as: 'maya',
    at: pageOf('civic'),
    act: async (page) => {
      await press(page, seller.confirmIntendedBuyer)
      await page.getByRole('radio', { name: /Marcus Reed/ }).check()
    },
    shows: text(/^Confirm Marcus Reed as your buyer/),
  },
  {
    name: 'share-confirm-failed',
    as: 'maya',
    before: (page) => page.route('**/cars/requests/*', (route) => route.abort()),
    at: pageOf('civic'),
    act: presses(seller.confirmIntendedBuyer),
    shows: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'share-story',
    as: 'maya',
    at: pageOf('civic'),
    act: presses(/(Timeline and messages|new messages?): Grace Kim$/),
    shows: dialog(seller.storyOf('Grace Kim')),
  },
  {
    name: 'messages-story',
    as: 'maya',
    before: hasMessages,
    at: pageOf('civic'),
    act: presses(/(Timeline and messages|new messages?): Grace Kim$/),
    shows: text(messagesTexts.report.reported),
  },
  {
    name: 'messages-deal',
    as: 'maya',
    before: hasMessages,
    at: pageOf('f150'),
    act: (page) => page.getByText(messagesTexts.notSigned).scrollIntoViewIfNeeded(),
    shows: text(messagesTexts.report.reported),
  },
  {
    name: 'messages-too-long',
    as: 'maya',
    before: hasMessages,
    at: pageOf('f150'),
    act: async (page) => {
      await page.getByLabel(/^Message to /).fill('x'.repeat(2050))
    },
    shows: text('50 characters too many'),
  },
  {
    name: 'messages-over',
    as: 'maya',
    before: async (page) => {
      await hasMessages(page)
      await page.route('**/messages/*', async (route) => {
        if (route.request().method() !== 'GET' || !isOver.has(page)) return route.fallback()
        return route.fulfill({ json: { messages: [], next: null, isOpen: false } })
      })
    },
    at: pageOf('f150'),
    act: async (page) => {
      await page.getByLabel(/^Message to /).fill('Can you come on Saturday at ten?')
      isOver.add(page)
      await page.evaluate(comeBackToTab)
    },
    shows: text(messagesTexts.keptUnsent),
  },
  {
    name: 'messages-not-sent',
    as: 'maya',
    before: async (page) => {
      await hasMessages(page)
      await page.route('**/messages/*', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      )
    },
    at: pageOf('f150'),
    act: async (page) => {
      await page.getByLabel(/^Message to /).fill('Can you come on Saturday at ten?')
      await press(page, messagesTexts.send)
    },
    shows: text(messagesTexts.notSent),
  },
  {
    name: 'messages-report',
    as: 'maya',
    before: hasMessages,
    at: pageOf('f150'),
    act: (page) =>
      page
        .getByRole('button', { name: /^Report the message/ })
        .first()
        .click(),
    shows: dialog(messagesTexts.report.title),
  },
  {
    name: 'share-confirm',
    as: 'maya',
    at: pageOf('civic'),
    act: presses(seller.confirm),
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'share-deny',
    as: 'maya',
    at: pageOf('civic'),
    act: async (page) => {
      await press(page, seller.deny)
      await fill(page, { [seller.denyMessage]: 'Thank you, but I have found a buyer closer to home.' })
    },
    shows: dialog(seller.denyTitle),
  },
  {
    name: 'share-hold-lapsed',
    as: 'daniel',
    at: pageOf('mini'),
    shows: text(/^The 72 hours ended without Elena Marsh/),
  },
  {
    name: 'share-called-off',
    as: 'maya',
    before: wasCalledOff('camry'),
    at: pageOf('camry'),
    shows: text(dealersTexts.calledOff.saleTo('AutoNation', 'Elena Marsh')),
  },

  { name: 'deal-1-term-sheet', as: 'maya', at: pageOf('f150'), shows: heading(termSheet.title) },
  {
    name: 'deal-1-release',
    as: 'maya',
    at: pageOf('f150'),
    act: presses(seller.release),
    shows: dialog(seller.release),
  },
  {
    name: 'deal-1-voided',
    as: 'daniel',
    at: pageOf('mustang'),
    shows: text(termSheet.voided.theirs('Elena Marsh')),
  },
  ...agreementViews('deal-1-agreement', 'maya', pageOf('f150'), 'Maya Whitfield'),
  {
    name: 'deal-2-waiting',
    as: 'maya',
    at: pageOf('cx5'),
    shows: text("Waiting for Elena Marsh's signature"),
  },
  {
    name: 'deal-2-passed',
    as: 'maya',
    at: pageOf('wrangler'),
    shows: heading(seller.passedTitle('AutoNation')),
  },
  {
    name: 'deal-2-passed-administrator',
    as: 'maya',
    administers: true,
    at: pageOf('wrangler'),
    shows: text(seller.toPackage),
  },
  {
    name: 'deal-2-agreement',
    as: 'maya',
    at: pageOf('wrangler'),
    act: presses(termSheet.view),
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'deal-2-agreement-print',
    as: 'maya',
    at: pageOf('wrangler'),
    act: presses(termSheet.view),
    shows: (page) => page.getByRole('article'),
    print: true,
  },
  { name: 'deal-3-complete', as: 'maya', at: pageOf('odyssey'), shows: heading(seller.completeTitle) },
  { name: 'deal-of-no-car', as: 'maya', at: '/car/seller', shows: text(seller.failed) },
  { name: 'deal-failed', as: 'maya', at: '/car/seller?vin=NOSUCHVIN0000', shows: text(seller.failed) },
]

export const sellerChanges: View[] = [
  {
    name: 'share-not-up-to-date',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await page.getByRole('button', { name: share.editPrice }).waitFor()
      await goOffline(page)
      await page.evaluate(comeBackToTab)
    },
    shows: text(/^We could not bring this up to date/),
  },
  {
    name: 'share-edit-changed',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await press(page, edit.open)
      await fill(page, { [fields.color]: 'Midnight blue' })
      const details = { mileage: 48_900, trim: 'SE Nightshade' }
      await page.request.patch('/cars/edit', { data: { vin: demoCars.camry.vin, ...details } })
    },
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
    act: adds(accord, add.submit, add.confirm),
    shows: heading(add.done),
  },
  {
    name: 'share-price-updated',
    as: 'maya',
    at: pageOf('camry'),
    act: async (page) => {
      await press(page, share.editPrice)
      await fill(page, { [share.newPrice]: '17500' })
      await press(page, share.savePrice)
    },
    shows: text(share.priceUpdated),
    passes: true,
  },
  {
    name: 'share-confirmed',
    as: 'maya',
    at: pageOf('civic'),
    act: async (page) => {
      await press(page, seller.confirm)
      await press(page.getByRole('dialog'), seller.confirm)
    },
    shows: heading(seller.confirmed),
  },
]
