import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { Page } from '@playwright/test'
import { demoTrades } from '../../server/seed/cars.ts'
import { dialog, fill, fills, heading, holds, press, presses, text, type View } from './view.ts'

const { input, dashboard, dialog: open, wholesaler } = tradeTexts
const { sold } = dealTexts

const pickup = {
  [input.fields.vin]: '1FTFW1ET5DFC10312',
  [input.fields.make]: 'Ford',
  [input.fields.carModel]: 'F-150',
  [input.fields.trim]: 'XLT',
  [input.fields.year]: '2013',
  [input.fields.mileage]: '91000',
  [input.fields.color]: 'Blue',
  [input.fields.zipCode]: '48226',
  [input.fields.message]: 'New tyres last spring.',
}

const opened = (name: string, verb: string, title: string): View => ({
  name: `trades-${name}`,
  as: 'marcus',
  at: '/trade',
  act: (page) => openTrade(page, verb),
  shows: dialog(title),
})

const openTrade = (page: Page, verb: string) => press(page, new RegExp(`^${verb}: `))

/** Trades, as their owner and as a wholesaler see them. */
export const tradeViews: View[] = [
  { name: 'trades', as: 'marcus', at: '/trade', shows: text('Forester') },
  { name: 'trades-empty', as: 'omar', at: '/trade', shows: text(dashboard.empty) },
  {
    name: 'trades-waiting',
    as: 'marcus',
    before: holds('**/trades/user/**', () => {}),
    at: '/trade',
    shows: heading(dashboard.title),
    waits: true,
  },
  {
    name: 'trades-failed',
    as: 'marcus',
    before: holds('**/trades/user/**', (route) => route.abort()),
    at: '/trade',
    shows: text(dashboard.failed),
  },
  opened('pending', dashboard.next.PENDING, open.titles.PENDING),
  opened('offered', dashboard.next.OFFERED, open.titles.OFFERED),
  opened('countered', dashboard.next.OFFER, open.titles.OFFER),
  opened('accepted', dashboard.next.ACCEPTED, open.titles.ACCEPTED),
  opened('rejected', dashboard.next.REJECTED, open.titles.REJECTED),
  {
    ...opened('offered-reject', dashboard.next.OFFERED, open.titles.OFFERED),
    act: async (page) => {
      await openTrade(page, dashboard.next.OFFERED)
      await press(page.getByRole('dialog'), open.reject)
    },
    shows: text(open.rejectQuestion),
  },
  {
    ...opened('offered-counter', dashboard.next.OFFERED, open.titles.OFFERED),
    act: async (page) => {
      await openTrade(page, dashboard.next.OFFERED)
      await press(page.getByRole('dialog'), open.counterOffer)
      await fill(page.getByRole('dialog'), { [open.counterLabel]: '5900' })
    },
  },
  {
    ...opened('offered-history', dashboard.next.OFFERED, open.titles.OFFERED),
    act: async (page) => {
      await openTrade(page, dashboard.next.OFFERED)
      await page.getByText(open.history, { exact: true }).click()
    },
    shows: text(/Submitted the trade/),
  },
  {
    name: 'trades-delete',
    as: 'marcus',
    at: '/trade',
    act: presses(/^Delete the request for your 2013 Ford Escape/),
    shows: dialog(open.deleteTitle),
  },

  { name: 'trade-input', as: 'omar', at: '/trade/input', shows: heading(input.title) },
  {
    name: 'trade-input-errors',
    as: 'omar',
    at: '/trade/input',
    act: presses(input.submit),
    shows: text('Invalid zip code.'),
  },
  {
    name: 'trade-input-vin-unknown',
    as: 'omar',
    at: '/trade/input',
    act: fills({ [input.fields.vin]: '11111111111111111' }, carTexts.add.verify),
    shows: text(carTexts.add.byHand),
    expects: [/^GET \/vin\/\w+ 422$/],
  },
  {
    name: 'trade-input-confirm',
    as: 'omar',
    at: '/trade/input',
    act: fills(pickup, input.submit),
    shows: dialog(input.confirmTitle),
  },
  {
    name: 'trade-input-failed',
    as: 'marcus',
    at: '/trade/input',
    act: async (page) => {
      await fill(page, { ...pickup, [input.fields.vin]: demoTrades.escape.vin })
      await press(page, input.submit)
      await press(page.getByRole('dialog'), input.confirm)
    },
    shows: dialog(input.failedTitle),
    expects: [/^POST \/trades 409$/],
  },

  {
    name: 'wholesaler',
    as: 'victor',
    before: (_, world) => world.photograph('marcus', demoTrades.escape.vin),
    at: '/wholesaler',
    shows: (page) => page.getByRole('link', { name: 'Photo 1 of 3' }).first(),
  },
  {
    name: 'wholesaler-empty',
    as: 'victor',
    before: holds(/\/trades(\?|$)/, (route) => route.fulfill({ json: [] })),
    at: '/wholesaler',
    shows: text(wholesaler.empty),
  },
  {
    name: 'wholesaler-waiting',
    as: 'victor',
    before: holds(/\/trades(\?|$)/, () => {}),
    at: '/wholesaler',
    shows: heading(wholesaler.title),
    waits: true,
  },
  {
    name: 'wholesaler-failed',
    as: 'victor',
    before: holds(/\/trades(\?|$)/, (route) => route.abort()),
    at: '/wholesaler',
    shows: text(wholesaler.failed),
  },
  {
    name: 'wholesaler-offer',
    as: 'victor',
    at: '/wholesaler',
    act: presses(/^Submit Offer.*2010 Honda CR-V|2010 Honda CR-V.*offer/i),
    shows: dialog(wholesaler.offerTitle),
  },
  {
    name: 'wholesaler-offer-typed',
    as: 'victor',
    at: '/wholesaler',
    act: async (page) => {
      await press(page, /2014 Nissan Rogue/)
      await fill(page.getByRole('dialog'), { [wholesaler.offerLabel]: '7250' })
    },
    shows: dialog(wholesaler.offerTitle),
  },
  {
    name: 'wholesaler-offer-error',
    as: 'victor',
    at: '/wholesaler',
    act: async (page) => {
      await press(page, /2010 Honda CR-V/)
      await fill(page.getByRole('dialog'), { [wholesaler.offerLabel]: '5,200' })
    },
    shows: text(tradeTexts.amountTyped),
  },
  {
    name: 'wholesaler-history',
    as: 'victor',
    at: '/wholesaler',
    act: presses(wholesaler.historyOf('2014 Nissan Rogue SV')),
    shows: text(/Submitted the trade/),
  },
  { name: 'wholesaler-not-approved', as: 'wanda', at: '/wholesaler', shows: text(wholesaler.unauthorized) },
  { name: 'wholesaler-others', as: 'maya', at: '/wholesaler', shows: text(wholesaler.unauthorized) },
  { name: 'sold-cars', as: 'victor', at: '/listofcars', shows: text(/Jeep Wrangler/) },
  {
    name: 'sold-cars-not-approved',
    as: 'wanda',
    at: '/listofcars',
    shows: text(wholesaler.unauthorized),
    // The page is an administrator's too, whose session may be the one to renew.
    expects: [/^GET \/progress\/all 403$/, /^GET \/auth\/admin\/refresh 401$/],
  },
  {
    name: 'sold-cars-others',
    as: 'maya',
    at: '/listofcars',
    shows: text(wholesaler.unauthorized),
    // The page is an administrator's too, whose session may be the one to renew.
    expects: [/^GET \/progress\/all 403$/, /^GET \/auth\/admin\/refresh 401$/],
  },
  {
    name: 'sold-cars-administrator',
    as: 'administrator',
    at: '/listofcars',
    shows: text(/Jeep Wrangler/),
  },
  {
    name: 'sold-cars-empty',
    as: 'victor',
    before: (page) => page.route('**/progress/all**', (route) => route.fulfill({ json: [] })),
    at: '/listofcars',
    shows: text(sold.empty),
  },
]

export const tradeChanges: View[] = [
  {
    name: 'trade-input-submitted',
    as: 'omar',
    at: '/trade/input',
    act: async (page) => {
      await fill(page, pickup)
      await press(page, input.submit)
      await press(page.getByRole('dialog'), input.confirm)
    },
    shows: heading(input.done),
  },
  {
    name: 'wholesaler-offer-sent',
    as: 'victor',
    at: '/wholesaler',
    act: async (page) => {
      await press(page, /2013 Ford Escape/)
      await fill(page.getByRole('dialog'), { [wholesaler.offerLabel]: '6100' })
      await press(page.getByRole('dialog'), wholesaler.submit)
    },
    shows: text(/\$6,100/),
  },
]
