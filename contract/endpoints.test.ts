import { expect, test } from 'vitest'
import { allEndpoints } from './endpoints.ts'

/**
 * The callers of each endpoint, restated by hand (R-everywhere-9), so that granting access needs a
 * change in two places. `tests/support/permissions.test.ts` tests each role against the server.
 */
const callersOf = {
  anyone: `
    POST /auth/register
    POST /auth/login
    POST /auth/login/link
    POST /auth/admin/login
    GET /auth/logout
    GET /auth/admin/logout
    GET /auth/refresh
    GET /auth/admin/refresh
    POST /auth/email/send
    GET /auth/email/verify/:code
    POST /auth/password/forgot
    POST /auth/password/reset
    GET /cars/public/:userId/:vin
    GET /cars/user/:userId/:vin
    GET /.well-known/keyturn-log
    GET /.well-known/keyturn-seal
    GET /log/inclusion/:digest
    GET /log/consistency/:size
    GET /log/checkpoint
    GET /log/tile/:level/*
    GET /schemas/package/1
    GET /schemas/package/2
    GET /agreements/:token
    GET /verify/:agreement`,
  signedIn: `
    GET /user
    GET /user/mail
    GET /agreements
    PATCH /user/edit
    DELETE /user/:userType/:id
    PATCH /auth/password/change`,
  verified: `
    GET /notifications
    GET /notifications/unread
    GET /notifications/switches
    PUT /notifications/switches
    GET /notifications/push
    PUT /notifications/push
    PATCH /notifications/push
    DELETE /notifications/push/:id
    PATCH /notifications/:id/read
    POST /notifications/read
    GET /events
    POST /user/mail/prove
    GET /cars/:userId
    GET /cars/vin/:vin
    GET /cars/requests/:carId
    GET /vin/:vin
    POST /vin/warm`,
  'verified or administrator': `
    GET /buyer/:id
    GET /seller/:id
    GET /tax
    GET /progress/:userId/:vin
    GET /progress/timeline/:userId/:vin
    GET /progress/pkg/id/:userId/:vin
    GET /progress/pkg/:pkgId/1
    GET /progress/agreement/:pkgId
    GET /progress/paperwork/:pkgId/:kind`,
  trader: `
    POST /cars/input
    POST /cars/claims
    GET /cars/flyer/:vin
    POST /cars/request
    PATCH /cars/buyer
    PUT /cars/proposal
    PATCH /cars/proposal
    PATCH /cars/edit
    PUT /cars/describe/:carId
    POST /cars/photos/:carId
    PUT /cars/photos/:carId/order
    PATCH /cars/photos/:carId/:photoId
    DELETE /cars/photos/:carId/:photoId
    PUT /trades/loan/:tradeId
    POST /trades/photos/:tradeId
    PUT /trades/photos/:tradeId/order
    PATCH /trades/photos/:tradeId/:photoId
    DELETE /trades/photos/:tradeId/:photoId
    PUT /cars/update-price/:carId
    DELETE /cars/delete/:userType/:userId/:vin
    PATCH /progress/add
    PATCH /progress/update
    POST /progress/looking/:userId/:vin
    GET /progress/draft/:dealId
    POST /progress/shown/:dealId
    GET /messages/:dealId
    POST /messages/:dealId
    PUT /messages/:dealId/seen
    GET /messages/:dealId/file
    POST /messages/:dealId/:messageId/report
    GET /user/presence
    PUT /user/presence
    GET /consent
    DELETE /consent
    POST /trades
    GET /trades/available/:userId
    DELETE /trades/:vin`,
  'trader or wholesaler or administrator': `
    PATCH /trades/:tradeId
    GET /trades/user/:userId
    GET /trades/:tradeId/history`,
  'wholesaler or administrator': `
    GET /cars/all/cars
    GET /progress/all
    GET /progress/all.csv
    GET /trades`,
  administrator: `
    GET /admin/mails
    GET /admin/mails/queue
    POST /admin/mails/:mailId/send
    GET /admin/mails/:mailId/files
    GET /admin/mails/:mailId/files/:file
    GET /admin/wholesalers
    POST /admin/wholesalers/:userId/approve
    POST /admin/wholesalers/:userId/decline
    DELETE /admin/cars/:carId
    GET /admin/claims
    POST /admin/claims/:claimId/keep
    GET /admin/insights
    GET /admin/reports
    POST /admin/reports/:messageId/handled
    GET /admin/dealers
    POST /admin/dealers
    PUT /admin/dealers/:dealerId
    POST /admin/dealers/:dealerId/test
    GET /admin/deliveries
    POST /admin/deliveries/:deliveryId/replay
    GET /desk
    GET /desk/deals
    GET /desk/deals/:pkgId
    GET /desk/deals/:pkgId/agreement
    POST /desk/deals/:pkgId`,
  'administrator or partner': `
    POST /progress/complete/:pkgId`,
  partner: `
    GET /partner/deals/:pkgId
    POST /partner/deals/:pkgId
    GET /partner/deals/:pkgId/agreement
    POST /desk/deliveries`,
}

test('opens every endpoint only to its specified callers', () => {
  const specified = Object.entries(callersOf).flatMap(([callers, names]) =>
    names
      .trim()
      .split(/\n\s+/)
      .map((name) => `${name}: ${callers}`),
  )
  const declared = allEndpoints.map(({ name, callers }) => `${name}: ${callers.join(' or ')}`)
  expect(declared.sort()).toEqual(specified.sort())
})
