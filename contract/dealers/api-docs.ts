import { dealerEvent1 } from '../frozen/dealer-events-1/dealer-events.ts'
import { dealerEvent2 } from '../frozen/dealer-events-2/dealer-events.ts'
import { deliveredPackage1 } from '../frozen/package-1/delivered-package.ts'
import { deliveredPackage2 } from '../frozen/package-2/delivered-package.ts'
import type { ModuleDocs } from '../openapi/module-docs.ts'
import { deliveredPackage, partnerDeal, partnerReport } from './dealer-api.ts'
import { deskDeal } from './dealer-desk.ts'
import { dealer, delivery, deliveryAttempt } from './endpoints.ts'

const [, financingWish, testEvent] = dealerEvent1.options

export const dealersApiDocs: ModuleDocs = {
  tag: { name: 'Dealers', description: 'Signed deals on their way to a dealer’s system, and its reports.' },
  operations: {
    'GET /partner/deals/:pkgId': {
      summary: 'Read a deal of yours',
      description: 'Its state and its package, in the version in which it was signed.',
    },
    'GET /partner/deals/:pkgId/agreement': {
      summary: 'Read the signed agreement of your deal',
      description: 'The sealed PDF. Its SHA-256 is in the package.',
    },
    'POST /partner/deals/:pkgId': {
      summary: 'Report on a deal',
      description:
        'Report `accepted` first. Documents and appointments may follow, also repeatedly; money and title in either order; `cancelled` only before those. A report out of order gets 409 with the deal’s state.',
      example: {
        pkgId: '6566b0e2a1f4c3d2e1b0a998',
        step: 'appointment',
        place: '100 Main Street, Detroit',
        time: '2026-12-01T15:00:00-05:00',
      },
    },
    'GET /schemas/package/1': {
      summary: 'Read the JSON Schema of a package, version 1',
      description: 'For deals that were signed before version 2.',
    },
    'GET /schemas/package/2': 'Read the JSON Schema of a package',
    'POST /desk/deliveries': {
      summary: 'Receive a delivery at the built-in desk',
      description: 'The built-in desk stands in for a dealer’s own system.',
      isInternal: true,
    },
    'GET /desk': 'Read whether the built-in desk is used',
    'GET /desk/deals': 'List deals at the built-in desk',
    'GET /desk/deals/:pkgId': 'Read a deal at the built-in desk',
    'GET /desk/deals/:pkgId/agreement': 'Read the signed agreement at the built-in desk',
    'POST /desk/deals/:pkgId': 'Report on a deal from the built-in desk',
    'GET /admin/dealers': 'List dealers',
    'POST /admin/dealers': 'Add a dealer',
    'PUT /admin/dealers/:dealerId': 'Change a dealer',
    'POST /admin/dealers/:dealerId/test': 'Send a test event to a dealer',
    'GET /admin/deliveries': 'List deliveries, newest first',
    'POST /admin/deliveries/:deliveryId/replay': 'Send a delivery again',
  },
  schemas: {
    DeliveredPackage: {
      schema: deliveredPackage,
      description: 'A package in the version in which it was signed.',
    },
    DeliveredPackage2: { schema: deliveredPackage2, description: 'A signed deal, as a dealer gets it.' },
    DeliveredPackage1: {
      schema: deliveredPackage1,
      description: 'The same for deals that were signed before version 2.',
    },
    DealerReport: { schema: partnerReport, description: 'A report of the dealer; `step` tells which.' },
    DealAtDealer: { schema: partnerDeal, description: 'The state of a deal at the dealer.' },
    DeskDeal: deskDeal,
    Dealer: dealer,
    Delivery: delivery,
    DeliveryAttempt: deliveryAttempt,
  },
  webhooks: {
    'deal.passed': {
      summary: 'A deal was signed',
      description: 'Both have signed, and the deal is yours to complete.',
      body: dealerEvent2,
    },
    'deal.financing': {
      summary: 'A buyer asks for a loan',
      description: 'Only if the buyer has agreed that you get in touch.',
      body: financingWish,
    },
    test: { summary: 'A test event', description: 'Sent by an administrator of Keyturn.', body: testEvent },
  },
}
