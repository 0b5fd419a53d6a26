import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { type CallerRole, type Endpoint, isAdminCaller } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import { createDesk } from '../../server/modules/dealers/desk/desk.ts'
import type { Browser, WireInput } from './browser.ts'
import { exampleInputs, type Target, targetWithoutRows } from './example-inputs.ts'
import { countReads, outcome } from './http/outcome.ts'
import {
  aBuyer,
  aNamedAdministrator,
  aNewcomer,
  anAdministrator,
  anUnapprovedWholesaler,
  aSeller,
  aWholesaler,
} from './people.ts'
import { addPhoto, addPhotoOfTrade, aPicture } from './pictures.ts'
import { aSaleAt, confirmBuyer, readProgressOf, signAsBuyer, signAsSeller } from './sales/deals.ts'
import { recordSecret } from './secrets.ts'
import { digestTables } from './table-digests.ts'
import { startTestServer } from './test-server.ts'
import { aTrade } from './trades.ts'

const server = await startTestServer()
const desk = createDesk(server.deps.config)
if (!desk) throw new Error('There is no desk')
recordSecret(desk.key)
server.deps.desk = desk

/** One caller of each kind, without access to the targeted rows. */
const people = {
  nobody: server.browser(),
  unverified: await aNewcomer(server, 'BUYER'),
  buyer: await aBuyer(server),
  seller: await aSeller(server),
  waiting: await anUnapprovedWholesaler(server),
  wholesaler: await aWholesaler(server),
  administrator: await anAdministrator(server),
  support: await aNamedAdministrator(server, 'SUPPORT'),
} satisfies Record<string, Browser>
type CallerName = keyof typeof people
const callerNames = Object.keys(people) as CallerName[]

/** Rows of a requested car, rows of a deal that both parties signed, and missing rows. */
const targets = [await rowsAt('requested'), await rowsAt('passed'), targetWithoutRows()] as const

const callersByRole: Record<CallerRole, readonly CallerName[]> = {
  anyone: callerNames,
  signedIn: ['unverified', 'buyer', 'seller', 'waiting', 'wholesaler'],
  verified: ['buyer', 'seller', 'waiting', 'wholesaler'],
  trader: ['buyer', 'seller'],
  wholesaler: ['wholesaler'],
  administrator: ['administrator', 'support'],
  operator: ['administrator'],
  // None of these callers has a dealer's key.
  partner: [],
}

/** Responses other than 404 NotFound to allowed callers: one for all targets, or one for each. */
const wholesalerAndAdministrator = { wholesaler: '200', administrator: '200' }
const outcomes: Record<string, Partial<Record<CallerName, string>>> = {
  // Endpoints about the caller, or about no rows.
  'GET /notifications': all('200'),
  'GET /notifications/unread': all('200'),
  'GET /notifications/switches': all('200'),
  'PUT /notifications/switches': all('200'),
  'GET /notifications/push': all('200'),
  'PUT /notifications/push': all('200'),
  'GET /user': all('200'),
  'GET /user/mail': all('200'),
  'GET /user/sessions': all('200'),
  'DELETE /user/sessions': all('200'),
  'GET /user/data': all('200'),
  'POST /user/data': all('200'),
  'POST /user/mail/prove': all('200'),
  'PATCH /user/edit': all('200'),
  'GET /consent': all('200'),
  'GET /agreements': all('200'),
  'GET /user/presence': all('200'),
  'PUT /user/presence': all('200'),
  'GET /user/tokens': all('200'),
  'POST /user/tokens': all('201'),
  'DELETE /consent': all('200'),
  'GET /user/passkeys': all('200'),
  'POST /user/passkeys/start': all('200'),
  'POST /user/passkeys': all('400 PasskeyNotAdded'),
  'POST /user/passkeys/dismiss': all('200'),
  'PATCH /auth/password/change': all('403 Forbidden'),
  'GET /vin/:vin': all('200'),
  'POST /vin/warm': all('200'),
  'GET /tax': all('200'),
  // Every trader may start to buy a live listing.
  'PATCH /progress/add': all('200 / 200 / 404 NotFound'),
  // Every trader may report a live listing of their VIN.
  'POST /cars/claims': all('200 / 200 / 404 NotFound'),
  // Endpoints whose rows wholesalers work with.
  'PATCH /notifications/:id/read': { wholesaler: '200 / 200 / 404 NotFound' },
  'POST /notifications/read': { wholesaler: '200 / 200 / 404 NotFound' },
  'GET /cars/all/cars': wholesalerAndAdministrator,
  'GET /trades': wholesalerAndAdministrator,
  'GET /trades/user/:userId': wholesalerAndAdministrator,
  'GET /progress/all': wholesalerAndAdministrator,
  'GET /progress/all.csv': wholesalerAndAdministrator,
  'GET /trades/:tradeId/history': {
    wholesaler: '200 / 200 / 404 NotFound',
    administrator: '200 / 200 / 404 NotFound',
  },
  'PATCH /trades/:tradeId': {
    wholesaler: '409 InvalidTransition / 409 InvalidTransition / 404 NotFound',
    administrator: '409 InvalidTransition / 409 InvalidTransition / 404 NotFound',
  },
  // Endpoints of the administrator. Support gets the same from those that read.
  'GET /admin/me': { administrator: '200' },
  'POST /admin/me/confirm': { administrator: '403 ReauthenticationRequired' },
  // The administrator of the settings has no app of their own.
  'POST /admin/me/codes': { administrator: '403 Forbidden', support: '200' },
  'POST /admin/me/codes/confirm': { administrator: '403 Forbidden', support: '401 InvalidAdminCode' },
  'GET /admin/administrators': { administrator: '200' },
  'POST /admin/administrators': { administrator: '201' },
  'GET /admin/events': { administrator: '200' },
  'GET /admin/mails': { administrator: '200' },
  'GET /admin/mails/queue': { administrator: '200' },
  'GET /admin/wholesalers': { administrator: '200' },
  'GET /admin/dealers': { administrator: '200' },
  'POST /admin/dealers': { administrator: '201' },
  'GET /admin/deliveries': { administrator: '200' },
  'GET /admin/reports': { administrator: '200' },
  'GET /admin/claims': { administrator: '200' },
  'GET /admin/insights': { administrator: '200' },
  'POST /admin/reports/:messageId/handled': { administrator: '200 / 200 / 404 NotFound' },
  'GET /desk': { administrator: '200' },
  'GET /desk/deals': { administrator: '200' },
  'POST /admin/wholesalers/:userId/approve': { administrator: '200 / 200 / 404 NotFound' },
  'POST /admin/wholesalers/:userId/decline': { administrator: '200 / 200 / 404 NotFound' },
  'GET /admin/people': { administrator: '200' },
  'GET /admin/people/:userId': { administrator: '200 / 200 / 404 NotFound' },
  'POST /admin/people/:userId/suspend': { administrator: '200 / 200 / 404 NotFound' },
  'POST /admin/people/:userId/sessions/end': { administrator: '200 / 200 / 404 NotFound' },
  'DELETE /admin/cars/:carId': { administrator: '200 / 409 DealInProgress / 404 NotFound' },
  'GET /buyer/:id': { administrator: '200 / 200 / 404 NotFound' },
  'GET /seller/:id': { administrator: '200 / 200 / 404 NotFound' },
  'GET /progress/:userId/:vin': { administrator: '200 / 200 / 404 NotFound' },
  'GET /progress/timeline/:userId/:vin': { administrator: '200 / 200 / 404 NotFound' },
  'GET /progress/pkg/id/:userId/:vin': { administrator: '404 NotFound / 200 / 404 NotFound' },
  'GET /progress/pkg/:pkgId/1': { administrator: '404 NotFound / 200 / 404 NotFound' },
  'GET /progress/paperwork/:pkgId/:kind': { administrator: '404 NotFound / 200 / 404 NotFound' },
  'GET /progress/agreement/:pkgId': { administrator: '404 NotFound / 200 / 404 NotFound' },
  'POST /progress/complete/:pkgId': { administrator: '404 NotFound / 200 / 404 NotFound' },
}

test('has exactly the routes that the contract declares', () => {
  const routes = server.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .reduce(unfoldRoute, { above: [] as string[], found: [] as string[] })
    // Excludes assets and the files next to the page.
    .found.filter(
      (route) => !/^(GET|HEAD) (\/assets\/|\*$|\/[\w.-]+\.\w+ *$)/.test(route) || route.endsWith('.json'),
    )
    // Parameters of one path may have different names.
    .map(withoutNames)
  for (const url of ['*', '/*']) expect(server.app.hasRoute({ method: 'GET', url })).toBe(false)
  expect(server.app.hasRoute({ method: 'GET', url: '/assets/*' })).toBe(true)
  const otherRoutes = [
    'GET /health/live',
    'GET /health/ready',
    'GET /openapi.json',
    'GET /photos/:/:',
    'GET /illustrations/:',
    'GET /mail/stop',
    'POST /mail/stop',
  ]
  // `printRoutes` prints paths with a wildcard without what precedes it.
  const hasWildcard = ({ path }: Endpoint) => path.includes('*')
  for (const { method, path } of allEndpoints.filter(hasWildcard))
    expect(server.app.hasRoute({ method, url: path })).toBe(true)
  const plain = allEndpoints.filter((call) => !hasWildcard(call))
  expect(routes.sort()).toEqual([...plain.map(({ name }) => withoutNames(name)), ...otherRoutes].sort())
})

// contract/endpoints.test.ts lists the endpoints open to anyone.
test('allows only administrators on paths below /admin/', () => {
  const below = allEndpoints.filter(({ path }) => /^\/admin\//.test(path))
  expect(below.filter(({ callers }) => !callers.every(isAdminCaller))).toEqual([])
  expect(below).toHaveLength(33)
})

const guarded = allEndpoints.filter(({ callers }) => !callers.includes('anyone'))

// R-everywhere-9, R-safe-13
describe('rejects callers that an endpoint excludes before it reads rows, and changes nothing', () => {
  test.each(guarded)('$name', async (call) => {
    const before = await digest()
    for (const caller of callerNames) {
      const error = expectedError(call.callers, caller)
      if (!error) continue
      const bodies = new Set<string>()
      for (const input of [...targets.flatMap((target) => exampleInputs(call, target)), invalidInput(call)]) {
        const { sent, reads } = await countReads(server, () => people[caller].send(call, input))
        expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${error}`)
        // The only read is that of the session.
        expect(reads).toBeLessThanOrEqual(caller === 'nobody' ? 0 : 1)
        bodies.add(sent.body)
      }
      expect(bodies.size).toBe(1)
    }
    expect(await digest()).toEqual(before)
  })
})

// R-safe-11
describe('gives allowed callers the same response for others’ rows as for missing rows, and changes nothing', () => {
  test.each(guarded)('$name', async (call) => {
    const before = await digest()
    for (const caller of callerNames.filter((one) => mayCall(call, one))) {
      const bodies = new Set<string>()
      for (const [index, target] of targets.entries()) {
        const expected = expectedOf(call, caller, index)
        if (expected.startsWith('2')) continue
        for (const input of exampleInputs(call, target)) {
          const sent = await people[caller].send(call, input)
          expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${expected}`)
          if (sent.status === 404) bodies.add(sent.body)
        }
      }
      expect(bodies.size).toBeLessThanOrEqual(1)
    }
    expect(await digest()).toEqual(before)
  })
})

/** Reads run before changes, and what ends sessions runs last. */
const order = ['GET', 'PATCH', 'POST', 'PUT', 'DELETE']
const effectOf = ({ method, path }: Endpoint) =>
  /\/(decline|suspend|sessions\/end)$/.test(path) ? order.length : order.indexOf(method)
const byEffect = [...guarded].sort((one, other) => effectOf(one) - effectOf(other))

describe('allows the callers that an endpoint declares', () => {
  test.each(byEffect)('$name', async (call) => {
    // The event stream does not end.
    if (call.media === 'text/event-stream') return
    for (const caller of callerNames.filter((one) => mayCall(call, one)))
      for (const [index, target] of targets.entries()) {
        const expected = expectedOf(call, caller, index)
        if (!expected.startsWith('2')) continue
        const sent = await people[caller].send(call, exampleInputs(call, target)[0])
        expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${expected}`)
      }
  })
})

const withoutNames = (route: string) => route.replace(/:[^/]+/g, ':')

/**
 * Returns the error of an excluded caller: not signed in, not verified, or wrong role, in this
 * order.
 */
function expectedError(roles: readonly CallerRole[], caller: CallerName): string | null {
  if (roles.some((name) => callersByRole[name].includes(caller))) return null
  if (roles.every((name) => name === 'partner')) return '401 InvalidSignature'
  if (caller === 'support' && roles.includes('operator')) return '403 OperatorRequired'
  if (roles.every((name) => isAdminCaller(name) || name === 'partner')) return '401 InvalidAdminAccessToken'
  if (caller === 'nobody' || caller === 'administrator' || caller === 'support')
    return '401 InvalidAccessToken'
  return caller === 'unverified' ? '403 EmailNotVerified' : '403 Forbidden'
}

const mayCall = (call: Endpoint, caller: CallerName) => expectedError(call.callers, caller) === null

function expectedOf(call: Endpoint, caller: CallerName, target: number): string {
  // The event stream does not depend on rows.
  if (call.media === 'text/event-stream') return '200'
  const [first = '404 NotFound', ...others] = outcomeOf(call, caller).split(' / ')
  return [first, ...others][target] ?? first
}

function outcomeOf({ name }: Endpoint, caller: CallerName): string {
  const outcome = outcomes[name] ?? {}
  return outcome[caller] ?? (caller === 'support' ? outcome.administrator : undefined) ?? '404 NotFound'
}

function all(response: string): Record<CallerName, string> {
  return Object.fromEntries(callerNames.map((caller) => [caller, response])) as Record<CallerName, string>
}

/** Returns input that fails the endpoint's schemas. */
const invalidInput = (call: Endpoint): WireInput => ({
  params: Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '!'])),
  query: { limit: 'many', cursor: '!' },
  ...(call.body && { body: ['nonsense'] }),
})

/** Digests every row that is not about sessions. */
const digest = () => digestTables(server, 'sessions$|_tokens$|^throttles$')

async function rowsAt(stage: 'requested' | 'passed'): Promise<Target> {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer, car } = sale
  const trade = await aTrade(buyer)
  // Car and trade have the same picture, whose id is a digest.
  const picture = await aPicture()
  const { photo } = (await addPhoto(seller, car, picture)).answer
  await addPhotoOfTrade(buyer, trade, picture)
  if (stage === 'passed') for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  const deal = await readProgressOf(sale)
  const { _id: messageId } = await buyer.ask(sendMessage, {
    params: { dealId: deal._id },
    body: { text: 'Is it still there?' },
  })
  await seller.ask(reportMessage, { params: { dealId: deal._id, messageId }, body: { reason: 'Spam' } })
  const [notice] = await server.query<{ id: string }>(
    `select id from notifications where recipient_id = $1 and public_message <> ''`,
    [seller.id],
  )
  return {
    sellerId: seller.id,
    buyerId: buyer.id,
    wholesalerId: people.waiting.id,
    carId: car._id,
    vin: car.vin,
    tradeId: trade._id,
    tradeVin: trade.vin,
    noticeId: notice?.id ?? '',
    pkgId: deal.pkgId ?? targetWithoutRows().pkgId,
    photoId: photo.id,
    dealId: deal._id,
    messageId,
  }
}

/** Parses a line of Fastify's route map, such as `│   └── /:id/read (PATCH)`. */
function unfoldRoute(sum: { above: string[]; found: string[] }, line: string) {
  const [, indent = '', segment = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
  const depth = indent.length / 4
  const above = [...sum.above.slice(0, depth), segment]
  const found = methods
    .split(', ')
    .filter(Boolean)
    .map((method) => `${method} ${above.join('')}`)
  return { above, found: [...sum.found, ...found] }
}
