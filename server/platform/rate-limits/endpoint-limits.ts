/** Maximum requests in a period, per person, or per address without a session. */
export type EndpointLimit = {
  max: number
  /** Higher limit for wholesalers, who use the endpoint at work. */
  maxForWholesalers?: number
  withinMs: number
  per?: 'address'
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const aMinute = (max: number): EndpointLimit => ({ max, withinMs: minuteMs })
const anHour = (max: number): EndpointLimit => ({ max, withinMs: hourMs })
const byAddress = (limit: EndpointLimit): EndpointLimit => ({ ...limit, per: 'address' })

const ownRead = [aMinute(120)]

/**
 * Limits that protect no account (R-everywhere-16). Each process counts in memory, so that requests
 * need no additional database query (decision 20). Other limits are in `throttles.ts`;
 * `endpoint-limits.test.ts` requires one of the two for every endpoint.
 */
export const endpointLimits: Record<string, readonly EndpointLimit[]> = {
  'GET /cars/public/:userId/:vin': [byAddress(aMinute(60)), byAddress(anHour(600))],
  'GET /cars/user/:userId/:vin': ownRead,
  'GET /cars/vin/:vin': ownRead,
  'GET /cars/flyer/:vin': [aMinute(30)],
  'GET /cars/:userId': ownRead,
  'GET /cars/requests/:carId': ownRead,
  'GET /cars/all/cars': [aMinute(30)],
  'POST /cars/input': [anHour(30)],
  'POST /cars/claims': [anHour(5)],
  'POST /cars/request': [anHour(20)],
  'PATCH /cars/buyer': [aMinute(30)],
  'PUT /cars/proposal': [anHour(40)],
  'PATCH /cars/proposal': [aMinute(30)],
  'PATCH /cars/edit': [anHour(60)],
  'PUT /cars/describe/:carId': [anHour(60)],
  'PUT /cars/update-price/:carId': [aMinute(30)],
  'DELETE /cars/delete/:userType/:userId/:vin': [anHour(30)],
  'POST /vin/warm': [aMinute(20)],
  // Twenty photos each of a few cars, with some retries.
  'POST /cars/photos/:carId': [aMinute(60), anHour(300)],
  'PUT /cars/photos/:carId/order': [aMinute(60)],
  'PATCH /cars/photos/:carId/:photoId': [aMinute(60)],
  'DELETE /cars/photos/:carId/:photoId': [aMinute(60)],
  'PUT /trades/loan/:tradeId': [aMinute(60)],
  'POST /trades/photos/:tradeId': [aMinute(60), anHour(300)],
  'PUT /trades/photos/:tradeId/order': [aMinute(60)],
  'PATCH /trades/photos/:tradeId/:photoId': [aMinute(60)],
  'DELETE /trades/photos/:tradeId/:photoId': [aMinute(60)],

  'PATCH /progress/add': [aMinute(30)],
  'PATCH /progress/update': [aMinute(120)],
  'GET /progress/:userId/:vin': ownRead,
  'GET /progress/timeline/:userId/:vin': ownRead,
  // Sent by each tab every 7 s, and when the other party comes or goes.
  'POST /progress/looking/:userId/:vin': [aMinute(120)],
  'GET /messages/:dealId': ownRead,
  'POST /messages/:dealId': [aMinute(20), anHour(200)],
  'PUT /messages/:dealId/seen': ownRead,
  'GET /messages/:dealId/file': [aMinute(30)],
  'POST /messages/:dealId/:messageId/report': [anHour(20)],
  'GET /user/sessions': ownRead,
  'DELETE /user/sessions/:sessionId': [aMinute(30)],
  'DELETE /user/sessions': [aMinute(30)],
  'GET /user/data': ownRead,
  'GET /user/presence': ownRead,
  'PUT /user/presence': [aMinute(30)],
  'GET /user/passkeys': ownRead,
  'POST /user/passkeys/start': [aMinute(20)],
  'POST /user/passkeys': [aMinute(20), anHour(60)],
  'PATCH /user/passkeys/:passkeyId': [aMinute(30)],
  'DELETE /user/passkeys/:passkeyId': [aMinute(30)],
  'POST /user/passkeys/dismiss': [aMinute(30)],
  'GET /user/tokens': ownRead,
  'POST /user/tokens': [anHour(30)],
  'DELETE /user/tokens/:tokenId': [aMinute(30)],
  'GET /progress/all': [aMinute(60)],
  'GET /progress/all.csv': [aMinute(10)],
  'GET /consent': ownRead,
  'DELETE /consent': [anHour(30)],
  'GET /progress/pkg/id/:userId/:vin': [aMinute(30)],
  'GET /progress/pkg/:pkgId/1': [aMinute(30)],
  'GET /progress/agreement/:pkgId': [aMinute(30)],
  'GET /agreements/:token': [byAddress(aMinute(30)), byAddress(anHour(300))],
  'GET /agreements': ownRead,
  'GET /progress/draft/:dealId': [aMinute(30)],
  // Sent when the sheet opens, and after each change of the deal while it is open.
  'POST /progress/shown/:dealId': [aMinute(60)],
  'GET /progress/paperwork/:pkgId/:kind': [aMinute(30)],
  'GET /.well-known/keyturn-log': [aMinute(60)],
  'GET /.well-known/keyturn-seal': [aMinute(60)],
  'GET /log/inclusion/:digest': [aMinute(60)],
  'GET /log/consistency/:size': [aMinute(60)],
  'GET /log/checkpoint': [aMinute(60)],
  // A copy of the log reads two tiles for 256 entries.
  'GET /log/tile/:level/*': [aMinute(300)],
  'GET /schemas/package/1': [aMinute(60)],
  'GET /schemas/package/2': [aMinute(60)],
  // Counted per address: a dealer's system handles a few deals at a time.
  'GET /partner/deals/:pkgId': [aMinute(120)],
  'POST /partner/deals/:pkgId': [aMinute(120)],
  'POST /progress/complete/:pkgId': [aMinute(120)],
  'GET /partner/deals/:pkgId/agreement': [aMinute(60)],
  // Sent by this machine only, with many at once after a backlog.
  'POST /desk/deliveries': [aMinute(300)],
  'GET /verify/:agreement': [byAddress(aMinute(30)), byAddress(anHour(300))],

  'GET /trades/user/:userId': ownRead,
  'GET /trades/available/:userId': ownRead,
  // Reloaded page by page after each event, for two lists on one screen (decision 20).
  'GET /trades': ownRead,
  'GET /trades/:tradeId/history': ownRead,
  'PATCH /trades/:tradeId': [{ ...aMinute(30), maxForWholesalers: 60 }],
  'DELETE /trades/:vin': [anHour(30)],
  'GET /tax': [aMinute(30)],

  'GET /user/mail': ownRead,
  'GET /notifications': ownRead,
  'GET /notifications/unread': ownRead,
  'GET /notifications/switches': ownRead,
  'PUT /notifications/switches': [aMinute(60)],
  'GET /notifications/push': ownRead,
  // Sent on page load, if the browser has push notifications.
  'PATCH /notifications/push': [aMinute(60)],
  'PUT /notifications/push': [aMinute(10), anHour(60)],
  'DELETE /notifications/push/:id': [aMinute(30)],
  'PATCH /notifications/:id/read': ownRead,
  'POST /notifications/read': ownRead,
}

/** Limit for signatures, one variant of `PATCH /progress/update`. */
export const signingLimit = { name: 'sign', ...anHour(10) }

/** Limits per address over all endpoints, so that one client cannot overload the server. */
export const addressLimits = {
  calls: aMinute(600),
  /** Pages and assets: a first visit loads 50 files, and an office may share one address. */
  pages: aMinute(300),
  assets: aMinute(6000),
} as const
