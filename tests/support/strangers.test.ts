import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { reportMessage, sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import type { CallerRole, Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import { openDesk } from '../../server/modules/dealers/desk/desk.ts'
import type { Browser, Sent, Wire } from './browser.ts'
import { digestOf } from './digest.ts'
import { inputsOf, nobodys, type Target } from './inputs.ts'
import { aBuyer, aNewcomer, anAdministrator, anUnapprovedWholesaler, aSeller, aWholesaler } from './people.ts'
import { addPhoto, addPhotoOfTrade, aPicture } from './pictures.ts'
import { aSaleAt, confirm, progressOf, signAsBuyer, signAsSeller } from './sales/deals.ts'
import { keepSecret } from './secrets.ts'
import { startTestServer } from './test-server.ts'
import { aTrade } from './trades.ts'

const house = await startTestServer()
const desk = openDesk(house.deps.config)
if (!desk) throw new Error('There is no desk')
keepSecret(desk.key)
house.deps.desk = desk

/** One caller of each kind, none of them related to the targeted rows. */
const people = {
  nobody: house.browser(),
  unverified: await aNewcomer(house, 'BUYER'),
  buyer: await aBuyer(house),
  seller: await aSeller(house),
  waiting: await anUnapprovedWholesaler(house),
  wholesaler: await aWholesaler(house),
  administrator: await anAdministrator(house),
} satisfies Record<string, Browser>
type Asker = keyof typeof people
const askers = Object.keys(people) as Asker[]

/**
 * A car with a request, a car whose sale both parties signed, and missing rows. `all` below uses
 * this order.
 */
const targets = [await rowsAt('requested'), await rowsAt('passed'), nobodys()] as const

const mayAct: Record<CallerRole, readonly Asker[]> = {
  anyone: askers,
  signedIn: ['unverified', 'buyer', 'seller', 'waiting', 'wholesaler'],
  verified: ['buyer', 'seller', 'waiting', 'wholesaler'],
  trader: ['buyer', 'seller'],
  wholesaler: ['wholesaler'],
  administrator: ['administrator'],
  // No caller here has a dealer's key.
  partner: [],
}

/**
 * Responses other than 404 NotFound to callers the endpoint allows. Three responses are for the
 * three targets in order; one is for all of them.
 */
const wholesalersAndTheirJudge = { wholesaler: '200', administrator: '200' }
const reaches: Record<string, Partial<Record<Asker, string>>> = {
  // Endpoints about the caller, or about nobody.
  'GET /notifications': all('200'),
  'GET /notifications/unread': all('200'),
  'GET /notifications/switches': all('200'),
  'PUT /notifications/switches': all('200'),
  'GET /notifications/push': all('200'),
  'PUT /notifications/push': all('200'),
  'GET /user': all('200'),
  'GET /user/mail': all('200'),
  'POST /user/mail/prove': all('200'),
  'PATCH /user/edit': all('200'),
  'GET /consent': all('200'),
  'GET /user/presence': all('200'),
  'PUT /user/presence': all('200'),
  'DELETE /consent': all('200'),
  'PATCH /auth/password/change': all('403 Forbidden'),
  'GET /vin/:vin': all('200'),
  'POST /vin/warm': all('200'),
  'GET /tax': all('200'),
  // Anyone may start to buy a live listing.
  'PATCH /progress/add': all('200 / 200 / 404 NotFound'),
  // Rows that wholesalers work with.
  'PATCH /notifications/:id/read': { wholesaler: '200 / 200 / 404 NotFound' },
  'POST /notifications/read': { wholesaler: '200 / 200 / 404 NotFound' },
  'GET /cars/all/cars': wholesalersAndTheirJudge,
  'GET /trades': wholesalersAndTheirJudge,
  'GET /trades/user/:userId': wholesalersAndTheirJudge,
  'GET /progress/all': wholesalersAndTheirJudge,
  'GET /progress/all.csv': wholesalersAndTheirJudge,
  'GET /trades/:tradeId/history': {
    wholesaler: '200 / 200 / 404 NotFound',
    administrator: '200 / 200 / 404 NotFound',
  },
  'PATCH /trades/:tradeId': {
    wholesaler: '409 InvalidTransition / 409 InvalidTransition / 404 NotFound',
    administrator: '409 InvalidTransition / 409 InvalidTransition / 404 NotFound',
  },
  // Endpoints of the administrator.
  'GET /admin/mails': { administrator: '200' },
  'GET /admin/mails/queue': { administrator: '200' },
  'GET /admin/wholesalers': { administrator: '200' },
  'GET /admin/dealers': { administrator: '200' },
  'POST /admin/dealers': { administrator: '201' },
  'GET /admin/deliveries': { administrator: '200' },
  'GET /admin/reports': { administrator: '200' },
  'POST /admin/reports/:messageId/handled': { administrator: '200 / 200 / 404 NotFound' },
  'GET /desk': { administrator: '200' },
  'GET /desk/deals': { administrator: '200' },
  'POST /admin/wholesalers/:userId/approve': { administrator: '200 / 200 / 404 NotFound' },
  'POST /admin/wholesalers/:userId/decline': { administrator: '200 / 200 / 404 NotFound' },
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

test('exposes exactly the routes that the contract declares', () => {
  const routes = house.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .reduce(unfoldRoute, { above: [] as string[], found: [] as string[] })
    // Assets have their own path, printed as a star, and the few files beside the page.
    .found.filter(
      (route) => !/^(GET|HEAD) (\/assets\/|\*$|\/[\w.-]+\.\w+ *$)/.test(route) || route.endsWith('.json'),
    )
    // The route map prints both names where a parameter has two.
    .map(withoutNames)
  for (const url of ['*', '/*']) expect(house.app.hasRoute({ method: 'GET', url })).toBe(false)
  expect(house.app.hasRoute({ method: 'GET', url: '/assets/*' })).toBe(true)
  const ours = [
    'GET /health/live',
    'GET /health/ready',
    'GET /openapi.json',
    'GET /photos/:/:',
    'GET /mail/stop',
    'POST /mail/stop',
  ]
  expect(routes.sort()).toEqual([...allEndpoints.map(({ name }) => withoutNames(name)), ...ours].sort())
})

// contract/endpoints.test.ts lists the endpoints open to anyone.
test('allows only the administrator on paths below /admin/', () => {
  expect(
    allEndpoints.filter(({ path }) => /^\/admin\//.test(path)).flatMap(({ callers }) => callers),
  ).toEqual(Array(17).fill('administrator'))
})

const guarded = allEndpoints.filter(({ callers }) => !callers.includes('anyone'))

// R-everywhere-9, R-safe-13
describe('whom a call does not name is refused before anything is looked up, and nothing has happened', () => {
  test.each(guarded)('$name', async (call) => {
    const before = await digest()
    for (const caller of askers) {
      const refusal = refusalOf(call.callers, caller)
      if (!refusal) continue
      const answers = new Set<string>()
      for (const input of [...targets.flatMap((target) => inputsOf(call, target)), nonsense(call)]) {
        const { sent, reads } = await watched(() => people[caller].send(call, input))
        expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${refusal}`)
        // A change reads the session once; a read does not need it.
        expect(reads).toBeLessThanOrEqual(caller === 'nobody' ? 0 : 1)
        answers.add(sent.body)
      }
      expect(answers.size).toBe(1)
    }
    expect(await digest()).toEqual(before)
  })
})

// R-safe-11
describe('whom it names cannot tell the rows of strangers from none, and cannot touch them', () => {
  test.each(guarded)('$name', async (call) => {
    const before = await digest()
    for (const caller of askers.filter((one) => mayMake(call, one))) {
      const answers = new Set<string>()
      for (const [index, target] of targets.entries()) {
        const expected = expectedOf(call, caller, index)
        if (expected.startsWith('2')) continue
        for (const input of inputsOf(call, target)) {
          const sent = await people[caller].send(call, input)
          expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${expected}`)
          if (sent.status === 404) answers.add(sent.body)
        }
      }
      expect(answers.size).toBeLessThanOrEqual(1)
    }
    expect(await digest()).toEqual(before)
  })
})

/** Reads run before changes, and deletions run last. */
const order = ['GET', 'PATCH', 'POST', 'PUT', 'DELETE']
const effectOf = ({ method, path }: Endpoint) =>
  path.endsWith('/decline') ? order.length : order.indexOf(method)
const byEffect = [...guarded].sort((one, other) => effectOf(one) - effectOf(other))

describe('allows the callers that an endpoint declares', () => {
  test.each(byEffect)('$name', async (call) => {
    // The event stream does not end, and has its own tests.
    if (call.media === 'text/event-stream') return
    for (const caller of askers.filter((one) => mayMake(call, one)))
      for (const [index, target] of targets.entries()) {
        const expected = expectedOf(call, caller, index)
        if (!expected.startsWith('2')) continue
        const sent = await people[caller].send(call, inputsOf(call, target)[0])
        expect(`${caller} ${outcome(sent)}`).toBe(`${caller} ${expected}`)
      }
  })
})

const withoutNames = (route: string) => route.replace(/:[^/]+/g, ':')

/**
 * Returns the error for a caller that `callers` excludes, in the contract's order: not signed in,
 * not verified, wrong role.
 */
function refusalOf(who: readonly CallerRole[], caller: Asker): string | null {
  if (who.some((name) => mayAct[name].includes(caller))) return null
  if (who.every((name) => name === 'partner')) return '401 InvalidSignature'
  if (who.every((name) => name === 'administrator' || name === 'partner'))
    return '401 InvalidAdminAccessToken'
  if (caller === 'nobody' || caller === 'administrator') return '401 InvalidAccessToken'
  return caller === 'unverified' ? '403 EmailNotVerified' : '403 Forbidden'
}

const mayMake = (call: Endpoint, caller: Asker) => refusalOf(call.callers, caller) === null

function expectedOf(call: Endpoint, caller: Asker, target: number): string {
  // The event stream does not depend on rows.
  if (call.media === 'text/event-stream') return '200'
  const [first = '404 NotFound', ...others] = (reaches[call.name]?.[caller] ?? '404 NotFound').split(' / ')
  return [first, ...others][target] ?? first
}

function all(answer: string): Record<Asker, string> {
  return Object.fromEntries(askers.map((caller) => [caller, answer])) as Record<Asker, string>
}

const outcome = (sent: Sent<Endpoint>) =>
  sent.status < 300 ? String(sent.status) : `${sent.status} ${sent.refusal.errorCode}`

/** Returns input that fails the endpoint's schemas. */
const nonsense = (call: Endpoint): Wire => ({
  params: Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '!'])),
  query: { limit: 'many', cursor: '!' },
  ...(call.body && { body: ['nonsense'] }),
})

/** Runs the work and counts its database reads. */
async function watched<T>(work: () => Promise<T>): Promise<{ sent: T; reads: number }> {
  let reads = 0
  const count = () => {
    reads++
  }
  house.deps.pool.on('acquire', count)
  const sent = await work()
  house.deps.pool.off('acquire', count)
  return { sent, reads }
}

/** Digests every row that is not about sessions. */
const digest = () => digestOf(house, 'sessions$|_tokens$|^throttles$')

async function rowsAt(stage: 'requested' | 'passed'): Promise<Target> {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, car } = sale
  const trade = await aTrade(buyer)
  // The same picture has the same name everywhere.
  const picture = await aPicture()
  const { photo } = (await addPhoto(seller, car, picture)).answer
  await addPhotoOfTrade(buyer, trade, picture)
  if (stage === 'passed') for (const act of [confirm, signAsSeller, signAsBuyer]) await act(sale)
  const deal = await progressOf(sale)
  const { _id: messageId } = await buyer.ask(sendMessage, {
    params: { dealId: deal._id },
    body: { text: 'Is it still there?' },
  })
  await seller.ask(reportMessage, { params: { dealId: deal._id, messageId }, body: { reason: 'Spam' } })
  const [notice] = await house.query<{ id: string }>(
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
    pkgId: deal.pkgId ?? nobodys().pkgId,
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
