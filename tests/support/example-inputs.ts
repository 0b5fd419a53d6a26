import { randomBytes } from 'node:crypto'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import type { WireInput } from './browser.ts'
import { createAuthenticator } from './http/authenticator.ts'
import { aForm } from './people.ts'
import { aPicture, asFile } from './pictures.ts'
import { aCarForm, aVin, buyerSignature, sellerSignature } from './sales/deals.ts'
import { aTradeForm } from './trades.ts'

/** The rows that a request targets, and their owner. */
export type Target = {
  sellerId: string
  buyerId: string
  wholesalerId: string
  carId: string
  vin: string
  tradeId: string
  tradeVin: string
  noticeId: string
  pkgId: string
  photoId: string
  dealId: string
  messageId: string
}

const picture = asFile(await aPicture())

/** A push subscription without a browser. */
const aSubscription = {
  endpoint: 'https://fcm.googleapis.com/nobody',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}

const createId = () => randomBytes(12).toString('hex')

/** Well-formed ids that match no row. */
export const targetWithoutRows = (): Target => ({
  sellerId: createId(),
  buyerId: createId(),
  wholesalerId: createId(),
  carId: createId(),
  vin: aVin(),
  tradeId: createId(),
  tradeVin: aTradeForm().vin,
  noticeId: createId(),
  pkgId: createId(),
  photoId: randomBytes(32).toString('hex'),
  dealId: createId(),
  messageId: createId(),
})

/** Returns the inputs that screens send for these rows, one for each kind of request. */
export function exampleInputs(call: Endpoint, target: Target): [WireInput, ...WireInput[]] {
  const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const values = { ...paramsOf(target), ...targetParams[call.name]?.(target) }
  const params = Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
  const query = queries[call.name]
  const body = bodies[call.name]?.(target)
  if (call.body && !body) throw new Error(`${call.name} has no body in tests/support/example-inputs.ts`)
  const first = { params, ...(query && { query }), ...(body && { body }), ...(call.uploads && picture) }
  return [first, ...(variants[call.name]?.(first, target) ?? [])]
}

const paramsOf = (target: Target): Record<string, string> => ({
  userId: target.sellerId,
  id: target.sellerId,
  userType: 'SELLER',
  vin: target.vin,
  carId: target.carId,
  tradeId: target.tradeId,
  pkgId: target.pkgId,
  agreement: target.pkgId,
  photoId: target.photoId,
  dealId: target.dealId,
  messageId: target.messageId,
  // A digest has the same format as a photo's id: 32 bytes in hexadecimal.
  digest: target.photoId,
  size: '1',
  level: '0',
  passkeyId: target.noticeId,
  file: '0',
  kind: 'bill-of-sale',
  code: 'a-code-of-nobody',
  token: 'a-token-of-nobody',
  // The administrator's endpoints get ids without rows.
  dealerId: createId(),
  deliveryId: createId(),
  mailId: createId(),
  claimId: createId(),
  suspensionId: createId(),
  sessionId: createId(),
  administratorId: createId(),
  tokenId: createId(),
})

/** Parameters whose value depends on the endpoint. */
const targetParams: Record<string, (target: Target) => Record<string, string>> = {
  'DELETE /trades/:vin': ({ tradeVin }) => ({ vin: tradeVin }),
  'GET /trades/user/:userId': ({ buyerId }) => ({ userId: buyerId }),
  'GET /trades/available/:userId': ({ buyerId }) => ({ userId: buyerId }),
  'GET /buyer/:id': ({ buyerId }) => ({ id: buyerId }),
  'PATCH /notifications/:id/read': ({ noticeId }) => ({ id: noticeId }),
  'DELETE /notifications/push/:id': ({ noticeId }) => ({ id: noticeId }),
  'POST /admin/wholesalers/:userId/approve': ({ wholesalerId }) => ({ userId: wholesalerId }),
  'POST /admin/wholesalers/:userId/decline': ({ wholesalerId }) => ({ userId: wholesalerId }),
  // An account that no other case needs.
  'POST /admin/people/:userId/suspend': ({ sellerId }) => ({ userId: sellerId }),
  'POST /admin/people/:userId/sessions/end': ({ wholesalerId }) => ({ userId: wholesalerId }),
}

const queries: Record<string, Record<string, string>> = {
  'GET /tax': { zipCode: '48201', basePrice: '9000' },
  'GET /admin/people': { search: 'nobody@example.com' },
  'GET /cars/flyer/:vin': { paper: 'a4', contact: 'true' },
}

function claimOf(vin: string) {
  const { price, ...facts } = aCarForm({ vin })
  return { ...facts, reason: 'The title is in my name.' }
}

const password = 'a password of nobody'
const bodies: Record<string, (target: Target) => Record<string, unknown>> = {
  'POST /auth/register': () => ({ ...aForm({ password }), userType: 'SELLER', confirmPassword: password }),
  'POST /auth/login': () => ({ email: 'nobody@example.com', password }),
  'POST /auth/admin/login': () => ({ username: 'nobody', password }),
  'POST /auth/admin/invitation': () => ({
    code: 'a-code-of-nobody',
    password: 'a quiet harbour 7',
    confirmPassword: 'a quiet harbour 7',
  }),
  'POST /admin/me/confirm': () => ({ password }),
  'POST /admin/me/codes/confirm': () => ({ code: '000000' }),
  'POST /admin/administrators': () => ({
    name: 'Nobody',
    username: `nobody-${createId()}`,
    role: 'OPERATOR',
  }),
  'POST /admin/administrators/:administratorId': () => ({ change: 'disable' }),
  'POST /auth/email/send': () => ({ email: 'nobody@example.com' }),
  'POST /auth/password/forgot': () => ({ email: 'nobody@example.com' }),
  'POST /auth/login/link': () => ({ code: 'a-code-of-nobody' }),
  'POST /auth/password/reset': () => ({
    password,
    confirmPassword: password,
    verificationCode: 'a-code-of-nobody',
  }),
  'PATCH /auth/password/change': ({ sellerId }) => ({
    password,
    confirmPassword: password,
    changePasswordId: sellerId,
    currentPassword: password,
  }),
  'PUT /notifications/switches': () => ({ kind: 'offers', channel: 'mail', isOn: false }),
  'PUT /notifications/push': () => aSubscription,
  'PATCH /notifications/push': () => ({ ...aSubscription, before: 'https://fcm.googleapis.com/another' }),
  'DELETE /user/:userType/:id': () => ({ currentPassword: password }),
  'PATCH /user/edit': () => ({ firstName: 'Mallory', lastName: 'Moe', phoneNumber: '313-555-0199' }),
  'POST /cars/claims': ({ vin }) => claimOf(vin),
  'POST /cars/input': ({ sellerId, vin }) => aCarForm({ vin, sellerId }),
  'POST /admin/people/:userId/suspend': () => ({ reason: 'OTHER', note: 'A test.' }),
  'DELETE /admin/cars/:carId': () => ({ reason: 'No reason' }),
  'POST /cars/request': ({ vin, sellerId, buyerId, tradeVin }) => ({
    vin,
    price: 1,
    buyerId,
    sellerId,
    trades: [tradeVin],
  }),
  'PATCH /cars/buyer': ({ sellerId, vin, buyerId }) => ({
    userId: sellerId,
    vin,
    status: 'REJECTED',
    buyerId,
  }),
  'PUT /cars/proposal': ({ sellerId, vin, buyerId }) => ({ userId: sellerId, vin, buyerId, price: 1 }),
  'PATCH /cars/proposal': ({ sellerId, vin }) => ({ userId: sellerId, vin, price: 1, status: 'REJECTED' }),
  'POST /notifications/read': ({ noticeId }) => ({ upTo: noticeId }),
  'PATCH /cars/edit': ({ vin }) => ({ vin, color: 'Stolen', mileage: 1 }),
  'PUT /cars/describe/:carId': () => ({ description: 'Stolen' }),
  'PUT /cars/update-price/:carId': ({ sellerId }) => ({ newPrice: 1, sellerId }),
  'PUT /cars/photos/:carId/order': ({ photoId }) => ({ photoIds: [photoId] }),
  'PATCH /cars/photos/:carId/:photoId': () => ({ caption: 'Stolen' }),
  'PUT /trades/loan/:tradeId': () => ({ payoff: true, payoffAmount: 1, lender: 'A stranger’s bank' }),
  'PUT /trades/photos/:tradeId/order': ({ photoId }) => ({ photoIds: [photoId] }),
  'PATCH /trades/photos/:tradeId/:photoId': () => ({ caption: 'Stolen' }),
  'POST /progress/looking/:userId/:vin': () => ({ tab: 'a1'.repeat(16), isLooking: true }),
  'POST /progress/shown/:dealId': () => ({ version: 1, textVersion: 'a' }),
  'POST /messages/:dealId': () => ({ text: 'Written by a stranger' }),
  'PUT /messages/:dealId/seen': ({ messageId }) => ({ upTo: messageId }),
  'POST /messages/:dealId/:messageId/report': () => ({ reason: 'A stranger does not like it' }),
  'POST /user/data': () => ({ format: 'json' }),
  'POST /auth/passkey/login': () => ({ credential: createAuthenticator().forgedSignIn() }),
  'POST /user/passkeys/start': () => ({}),
  'POST /user/passkeys': () => ({ credential: createAuthenticator().forged() }),
  'PATCH /user/passkeys/:passkeyId': () => ({ name: 'Stolen' }),
  'DELETE /user/passkeys/:passkeyId': () => ({}),
  'PUT /user/presence': () => ({ isShown: true }),
  'POST /user/tokens': () => ({ name: 'A script', scopes: ['cars:read'] }),
  'PATCH /progress/add': ({ sellerId, vin }) => ({ userId: sellerId, vin }),
  'PATCH /progress/update': ({ sellerId, vin }) => ({ userId: sellerId, vin, data: buyerSignature() }),
  'POST /trades': ({ buyerId, tradeVin }) => aTradeForm({ vin: tradeVin, buyerId }),
  'PATCH /trades/:tradeId': () => ({ status: 'ACCEPTED' }),
  'POST /progress/complete/:pkgId': () => ({}),
  'POST /partner/deals/:pkgId': ({ pkgId }) => ({ pkgId, step: 'accepted' }),
  'POST /desk/deals/:pkgId': ({ pkgId }) => ({ pkgId, step: 'accepted' }),
  'POST /desk/deliveries': () => ({
    type: 'test',
    timestamp: '2026-11-25T12:00:00.000Z',
    data: { dealer: 'AutoNation' },
  }),
  'POST /admin/dealers': () => ({ name: 'Bay Motors' }),
  'PUT /admin/dealers/:dealerId': () => ({ name: 'Bay Motors' }),
  'DELETE /trades/:vin': () => ({ version: 1 }),
}

const otherSteps = (pkgId: string) =>
  [
    { step: 'needsDocument', document: 'The title' },
    { step: 'appointment', place: '1 Main Street', time: '2026-11-25T15:00:00-05:00' },
    { step: 'cancelled', reason: 'No title' },
  ].map((step) => ({ pkgId, ...step }))

/** Variants of the same request, for the other party or another outcome. */
const variants: Record<string, (first: WireInput, target: Target) => WireInput[]> = {
  'POST /partner/deals/:pkgId': (first, { pkgId }) => otherSteps(pkgId).map((body) => ({ ...first, body })),
  'POST /desk/deals/:pkgId': (first, { pkgId }) => otherSteps(pkgId).map((body) => ({ ...first, body })),
  'PATCH /cars/buyer': (first) => [
    { ...first, body: { ...first.body, status: 'ACCEPTED', price: 1 } },
    { ...first, body: { ...first.body, status: 'PENDING', price: 1 } },
  ],
  'PATCH /progress/update': (first) => [
    { ...first, body: { ...first.body, data: sellerSignature() } },
    { ...first, body: { ...first.body, data: { userType: 'BUYER', step: [0], goBack: true } } },
  ],
  'DELETE /cars/delete/:userType/:userId/:vin': (first, { buyerId }) => [
    { params: { ...first.params, userType: 'BUYER', userId: buyerId } },
  ],
  'DELETE /user/:userType/:id': (first, { buyerId }) => [
    { params: { ...first.params, userType: 'BUYER', id: buyerId } },
  ],
  'PATCH /trades/:tradeId': (first) => [
    { ...first, body: { status: 'REJECTED' } },
    { ...first, body: { status: 'OFFER', price: 1 } },
  ],
}
