import { expect, test } from 'vitest'
import { allEndpoints } from './endpoints.ts'
import { isAdminCaller, type Scope } from './shared/endpoint.ts'

/**
 * The callers of each endpoint, restated by hand (R-everywhere-9), so that granting access needs a
 * change in two places. `tests/support/permissions.test.ts` tests each role against the server.
 */
const callersOf = {
  anyone: `
    POST /auth/register
    POST /auth/login
    POST /auth/login/link
    POST /auth/passkey/start
    POST /auth/passkey/login
    POST /auth/admin/login
    POST /auth/admin/invitation
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
    GET /user/sessions
    DELETE /user/sessions/:sessionId
    DELETE /user/sessions
    GET /user/data
    POST /user/data
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
    GET /user/passkeys
    POST /user/passkeys/start
    POST /user/passkeys
    PATCH /user/passkeys/:passkeyId
    DELETE /user/passkeys/:passkeyId
    POST /user/passkeys/dismiss
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
    GET /user/tokens
    POST /user/tokens
    DELETE /user/tokens/:tokenId
    GET /consent
    DELETE /consent
    POST /trades
    GET /trades/available/:userId
    DELETE /trades/:vin`,
  'trader or wholesaler or operator': `
    PATCH /trades/:tradeId`,
  'trader or wholesaler or administrator': `
    GET /trades/user/:userId
    GET /trades/:tradeId/history`,
  'wholesaler or administrator': `
    GET /cars/all/cars
    GET /progress/all
    GET /progress/all.csv
    GET /trades`,
  administrator: `
    GET /admin/mails/queue
    GET /admin/wholesalers
    GET /admin/people
    GET /admin/people/:userId
    GET /admin/claims
    GET /admin/insights
    GET /admin/reports
    GET /admin/dealers
    GET /admin/deliveries
    GET /admin/me
    POST /admin/me/confirm
    POST /admin/me/codes
    POST /admin/me/codes/confirm
    GET /admin/administrators
    GET /admin/events
    GET /desk
    GET /desk/deals
    GET /desk/deals/:pkgId
    GET /desk/deals/:pkgId/agreement`,
  operator: `
    GET /admin/mails
    GET /admin/mails/:mailId/files
    GET /admin/mails/:mailId/files/:file
    POST /admin/mails/:mailId/send
    POST /admin/wholesalers/:userId/approve
    POST /admin/wholesalers/:userId/decline
    POST /admin/people/:userId/suspend
    POST /admin/people/:userId/suspensions/:suspensionId/lift
    POST /admin/people/:userId/sessions/end
    DELETE /admin/cars/:carId
    POST /admin/claims/:claimId/keep
    POST /admin/reports/:messageId/handled
    POST /admin/dealers
    PUT /admin/dealers/:dealerId
    POST /admin/dealers/:dealerId/test
    POST /admin/deliveries/:deliveryId/replay
    POST /desk/deals/:pkgId
    POST /admin/administrators
    POST /admin/administrators/:administratorId`,
  'operator or partner': `
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

/** The endpoints of each scope, restated by hand as well (R-accounts-70, decision 86). */
const endpointsOf: Record<Scope, string> = {
  'profile:read': `
    GET /user`,
  'cars:read': `
    GET /cars/:userId
    GET /cars/vin/:vin
    GET /cars/public/:userId/:vin
    GET /cars/user/:userId/:vin
    GET /cars/flyer/:vin
    GET /vin/:vin`,
  'cars:write': `
    POST /cars/input
    PATCH /cars/edit
    PUT /cars/update-price/:carId
    PUT /cars/describe/:carId
    POST /cars/photos/:carId
    PUT /cars/photos/:carId/order
    PATCH /cars/photos/:carId/:photoId
    DELETE /cars/photos/:carId/:photoId`,
  'deals:read': `
    GET /cars/requests/:carId
    GET /progress/:userId/:vin
    GET /progress/timeline/:userId/:vin
    GET /progress/pkg/id/:userId/:vin
    GET /progress/pkg/:pkgId/1
    GET /progress/agreement/:pkgId
    GET /progress/paperwork/:pkgId/:kind
    GET /agreements
    GET /buyer/:id
    GET /seller/:id`,
  'messages:read': `
    GET /messages/:dealId
    GET /messages/:dealId/file`,
  'messages:write': `
    POST /messages/:dealId`,
}

test('opens only the specified endpoints to tokens, each for one scope', () => {
  const specified = Object.entries(endpointsOf).flatMap(([scope, names]) =>
    names
      .trim()
      .split(/\n\s+/)
      .map((name) => `${name}: ${scope}`),
  )
  const declared = allEndpoints.flatMap(({ name, scope }) => (scope ? [`${name}: ${scope}`] : []))
  expect(declared.sort()).toEqual(specified.sort())
})

// R-accounts-70
test('keeps tokens from calls of administrators and dealers, and lets scopes to read change nothing', () => {
  for (const { name, method, callers, scope } of allEndpoints.filter((one) => one.scope)) {
    const isForUsers = callers.some((who) => !isAdminCaller(who) && who !== 'partner')
    expect([name, isForUsers]).toEqual([name, true])
    if (scope?.endsWith(':read')) expect(`${method} ${name}`).toBe(`GET ${name}`)
  }
})
