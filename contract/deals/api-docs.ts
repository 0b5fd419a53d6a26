import type { ModuleDocs } from '../openapi/module-docs.ts'
import { drawing } from '../shared/signature-drawing.ts'
import { dealEvent } from './events.ts'
import { dashboardCar, dealerStep, financing, progress, request, soldCar, timelineEntry } from './shapes.ts'

const seller = '6566b0e2a1f4c3d2e1b0a998'
const vin = '1HGCM82633A004352'

export const dealsApiDocs: ModuleDocs = {
  tag: {
    name: 'Deals',
    description: 'One buyer’s way to one car: request, confirmation, signatures, completion.',
  },
  operations: {
    'GET /progress/:userId/:vin': {
      summary: 'Read a deal',
      description:
        'Everything about it: terms, who has signed, the hold, and what the dealer has done. A seller with several buyers names one with `buyerId`; without it, it is the buyer of the car’s row. `fullySigned` and `pkgId` tell that both have signed.',
    },
    'GET /progress/timeline/:userId/:vin': {
      summary: 'Read the timeline of a deal',
      description: 'What has happened, newest first. `facts` has the details of each event.',
    },
    'GET /progress/pkg/id/:userId/:vin': {
      summary: 'Find the package of a signed deal',
      description: '404 until both have signed.',
    },
    'PATCH /progress/add': {
      summary: 'Start a purchase',
      description: 'Without `userId`, the seller is found by the VIN.',
      example: { userId: seller, vin },
    },
    'PATCH /progress/update': {
      summary: 'Take a step of a deal, or sign',
      description:
        'Only the fields of the step are sent. `step` names what the page shows; `goBack` returns to the stage before. Signing needs the name, the signature, the consent and the version of the text that was shown.',
      example: {
        userId: seller,
        vin,
        version: 1042,
        data: { userType: 'BUYER', step: ['buyerStep1'], hasTrade: false, needsFinancing: false },
      },
    },
    'POST /progress/looking/:userId/:vin': {
      summary: 'Report that you look at a deal',
      description:
        'Repeated every few seconds while a tab shows it. Returns the other viewers; nothing is stored.',
    },
    'GET /buyer/:id': { summary: 'Read a buyer', description: 'For the other party of a deal.' },
    'GET /seller/:id': { summary: 'Read a seller', description: 'For the other party of a deal.' },
    'GET /progress/all': { summary: 'List sold cars', description: 'For wholesalers, newest first.' },
    'GET /progress/all.csv': { summary: 'Export sold cars', description: 'A spreadsheet of the whole list.' },
    'POST /progress/complete/:pkgId': {
      summary: 'Complete a sale',
      description: 'The dealer has handed over the car. A dealer’s system repeats `pkgId` in the body.',
    },
    'GET /admin/insights': 'Read the figures of the last weeks',
  },
  schemas: {
    DashboardCar: {
      schema: dashboardCar,
      description: 'A car of yours, with the state of the deal that its row shows.',
      fields: { deal: 'The deal that counts: of the intended buyer, or your own. Null without requests.' },
    },
    Deal: {
      schema: progress,
      description: 'A deal, for its parties.',
      fields: {
        _id: 'The id of the deal.',
        price: 'The price of the request, in dollars; 0 if there is none yet.',
        status: 'Null until there is a request. ACCEPTED: the seller has confirmed it.',
        sellerId: 'The id of the seller: `userId` in the paths of this module.',
        pkgId: 'The id of the package; null until both have signed.',
      },
    },
    Request: {
      schema: request,
      description: 'A buyer’s request, for the seller.',
      fields: { price: 'What the buyer offers, in dollars.', _id: 'The id of the deal.' },
    },
    Financing: {
      schema: financing,
      description: 'A wish for a loan: no social security number, birth date or income.',
    },
    DealerStep: { schema: dealerStep, description: 'A report of the dealer.' },
    TimelineEntry: {
      schema: timelineEntry,
      description: 'A line of a deal’s timeline.',
      fields: {
        actor: 'Who caused it. CLOCK: time ran out.',
        from: 'The value before, for people.',
        to: 'The value after, for people.',
      },
    },
    DealEvent: { schema: dealEvent, description: 'The details of an event; `event` tells which.' },
    SoldCar: { schema: soldCar, description: 'A signed sale, for wholesalers.' },
    Drawing: {
      schema: drawing,
      description: 'A drawn signature: an SVG path of strokes in a box of 600 by 200.',
    },
  },
}
