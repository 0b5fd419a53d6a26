import type { ModuleDocs } from '../openapi/module-docs.ts'
import { availableTrade, taxRate, trade, tradeEvent } from './endpoints.ts'

export const tradesApiDocs: ModuleDocs = {
  tag: { name: 'Trades', description: 'Cars that buyers trade in, and the offers of wholesalers on them.' },
  operations: {
    'POST /trades': {
      summary: 'Add a car to trade in',
      description: 'Wholesalers can make offers on it at once.',
      example: {
        vin: '2T1BURHE0JC034461',
        make: 'Toyota',
        carModel: 'Corolla',
        year: 2018,
        trim: 'LE',
        mileage: 61_000,
        color: 'Silver',
        payoff: false,
        zipCode: '48201',
      },
    },
    'GET /trades/user/:userId': { summary: 'List your trades', description: '`userId` is your own id.' },
    'GET /trades/available/:userId': {
      summary: 'List trades for a purchase',
      description: 'Your trades with an accepted offer that no other request contains.',
    },
    'GET /trades': { summary: 'List trades of all owners', description: 'For wholesalers, newest first.' },
    'PATCH /trades/:tradeId': {
      summary: 'Move a trade',
      description:
        'A wholesaler makes an offer (OFFERED with `price`) or withdraws it (PENDING). The owner accepts it (ACCEPTED), rejects it (REJECTED) or counters (OFFER with `price`). Amounts are dollars with at most two decimals.',
      example: { status: 'OFFERED', price: 9500, version: 1042 },
    },
    'GET /trades/:tradeId/history': { summary: 'Read the history of a trade', description: 'Oldest first.' },
    'DELETE /trades/:vin': 'Delete a trade',
    'PUT /trades/loan/:tradeId': {
      summary: 'Say what you owe on a trade',
      description: 'A missing amount or lender is unknown.',
      example: { payoff: true, payoffAmount: 6400, lender: 'First Bank', version: 1042 },
    },
    'POST /trades/photos/:tradeId': {
      summary: 'Add a photo of a trade',
      description:
        'The body is the picture itself: JPEG, PNG or WebP of at most 15 MB. The answer is 200 if the trade has this picture already.',
    },
    'PUT /trades/photos/:tradeId/order': 'Order the photos of a trade',
    'PATCH /trades/photos/:tradeId/:photoId': 'Caption a photo of a trade',
    'DELETE /trades/photos/:tradeId/:photoId': 'Delete a photo of a trade',
    'GET /tax': {
      summary: 'Look up the sales tax credit',
      description: 'The rate of a ZIP code, and the credit that a trade of this price brings.',
    },
  },
  schemas: {
    Trade: {
      schema: trade,
      description: 'A car that its owner wants to trade in.',
      fields: {
        isPaused: 'The trade is paused: no offer, counter or acceptance for now.',
        price: 'The offer or the counter, in dollars; null without one.',
        status: 'PENDING: no offer. OFFERED: an offer. OFFER: the owner’s counter.',
        buyer: 'The owner, for wholesalers. Contact data are null until they are needed.',
      },
    },
    AvailableTrade: { schema: availableTrade, description: 'A trade that a request can contain.' },
    TaxRate: { schema: taxRate, description: 'The sales tax rate of a place.' },
    TradeEvent: { schema: tradeEvent, description: 'A line of a trade’s history.' },
  },
}
