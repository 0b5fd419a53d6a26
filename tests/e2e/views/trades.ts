import { suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import type { Route } from '@playwright/test'
import { demoTrades } from '../../../server/commands/seed/demo-cars.ts'
import {
  abortRequest,
  dialog,
  fill,
  heading,
  inDialog,
  inSequence,
  intercept,
  interceptPreloaded,
  link,
  neverRespond,
  press,
  respondWith,
  text,
  type View,
  viewsOf,
} from './view.ts'

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

const openTrade = (verb: string) => press(new RegExp(`^${verb}: `))
const openOffered = openTrade(dashboard.next.OFFERED)
const list = /\/trades(\?|$)/

/** Responds with the real trades; those with an open offer are paused. */
const pauseOffers = async (route: Route) => {
  const response = await route.fetch()
  const rows: { status: string }[] = await response.json()
  const json = rows.map((row) => ({ ...row, isPaused: ['OFFERED', 'OFFER'].includes(row.status) }))
  await route.fulfill({ response, json })
}

/** Trades of an owner and of a wholesaler. */
export const tradeViews: View[] = [
  ...viewsOf('marcus', '/trade', [
    { name: 'trades', shows: text('Forester') },
    ...(['PENDING', 'OFFERED', 'OFFER', 'ACCEPTED', 'REJECTED'] as const).map((status) => ({
      name: status === 'OFFER' ? 'trades-countered' : `trades-${status.toLowerCase()}`,
      act: openTrade(dashboard.next[status]),
      shows: dialog(open.titles[status]),
    })),
    {
      name: 'trades-offered-reject',
      confirms: 'TradeDialog',
      act: inSequence(openOffered, inDialog(press(open.reject))),
      shows: text(open.rejectQuestion),
    },
    {
      name: 'trades-offered-counter',
      act: inSequence(
        openOffered,
        inDialog(press(open.counterOffer)),
        inDialog(fill({ [open.counterLabel]: '5900' })),
      ),
      shows: dialog(open.titles.OFFERED),
    },
    {
      name: 'trades-forfeit',
      confirms: 'TradeDialog',
      act: inSequence(openTrade(dashboard.next.OFFER), inDialog(press(open.forfeit))),
      shows: text(open.keepCounter),
    },
    {
      name: 'trades-photo-delete',
      confirms: 'PhotoTile',
      before: (_, world) => world.addPhotos('marcus', demoTrades.escape.vin),
      act: inSequence(press(/^Photos of 2013 Ford Escape/), press(carTexts.photos.delete(1))),
      shows: dialog(carTexts.photos.deleteTitle),
    },
    {
      name: 'trades-delete',
      confirms: 'DeleteTradeDialog',
      act: press(/^Delete the request for your 2013 Ford Escape/),
      shows: dialog(open.deleteTitle),
    },
  ]),
  ...viewsOf('marcus', '/trade', [
    {
      name: 'trades-paused',
      before: interceptPreloaded(/\/trades\/user\//, pauseOffers),
      shows: text(suspensionTexts.paused.row),
    },
    {
      name: 'trades-offered-paused',
      before: interceptPreloaded(/\/trades\/user\//, pauseOffers),
      act: press(dashboard.of(dashboard.next.REJECTED, '2012 Chevrolet Malibu 1LT')),
      shows: text(suspensionTexts.paused.offer),
    },
  ]),
  { name: 'trades-empty', as: 'omar', at: '/trade', shows: text(dashboard.empty) },

  ...viewsOf('omar', '/trade/input', [
    { name: 'trade-input', shows: heading(input.title) },
    { name: 'trade-input-errors', act: press(input.submit), shows: text('Invalid ZIP code.') },
    {
      name: 'trade-input-confirm',
      confirms: 'ConfirmTrade',
      act: fill(pickup, input.submit),
      shows: dialog(input.confirmTitle),
    },
  ]),
  {
    name: 'trade-input-failed',
    confirms: 'TradeEntryDialogs',
    as: 'marcus',
    at: '/trade/input',
    act: inSequence(
      fill({ ...pickup, [input.fields.vin]: demoTrades.escape.vin }, input.submit),
      inDialog(press(input.confirm)),
    ),
    shows: dialog(input.failedTitle),
    allowedErrors: [/^POST \/trades 409$/],
  },

  ...viewsOf('victor', '/wholesaler', [
    {
      name: 'wholesaler',
      before: (_, world) => world.addPhotos('marcus', demoTrades.escape.vin),
      shows: link('Photo 1 of 3'),
    },
    {
      name: 'wholesaler-paused',
      before: interceptPreloaded(list, pauseOffers),
      shows: text(suspensionTexts.paused.row),
    },
    {
      name: 'wholesaler-empty',
      before: interceptPreloaded(list, respondWith([])),
      shows: text(wholesaler.empty),
    },
    {
      name: 'wholesaler-waiting',
      before: interceptPreloaded(list, neverRespond),
      shows: heading(wholesaler.title),
      isLoading: true,
    },
    {
      name: 'wholesaler-failed',
      before: interceptPreloaded(list, abortRequest),
      shows: text(wholesaler.failed),
    },
    {
      name: 'wholesaler-offer-typed',
      confirms: 'OfferDialog',
      act: inSequence(press(/2014 Nissan Rogue/), inDialog(fill({ [wholesaler.offerLabel]: '7250' }))),
      shows: dialog(wholesaler.offerTitle),
    },
    {
      name: 'wholesaler-offer-error',
      act: inSequence(press(/2010 Honda CR-V/), inDialog(fill({ [wholesaler.offerLabel]: '5,200' }))),
      shows: text(tradeTexts.amountTyped),
    },
    {
      name: 'wholesaler-history',
      act: press(wholesaler.historyOf('2014 Nissan Rogue SV')),
      shows: text(/Submitted the trade/),
    },
  ]),
  { name: 'wholesaler-not-approved', as: 'wanda', at: '/wholesaler', shows: text(wholesaler.unauthorized) },
  ...viewsOf('victor', '/listofcars', [
    { name: 'sold-cars', shows: text(/Jeep Wrangler/) },
    {
      name: 'sold-cars-empty',
      before: intercept('**/progress/all**', respondWith([])),
      shows: text(sold.empty),
    },
  ]),
]

export const tradeChanges: View[] = [
  {
    name: 'trade-input-submitted',
    as: 'omar',
    at: '/trade/input',
    act: inSequence(fill(pickup, input.submit), inDialog(press(input.confirm))),
    shows: heading(input.done),
  },
  {
    name: 'wholesaler-offer-sent',
    as: 'victor',
    at: '/wholesaler',
    act: inSequence(
      press(/2013 Ford Escape/),
      inDialog(fill({ [wholesaler.offerLabel]: '6100' }, wholesaler.submit)),
    ),
    shows: text(/\$6,100/),
  },
]
