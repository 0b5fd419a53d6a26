import { addPasskey } from '@keyturn/contract/accounts/passkeys.ts'
import { addCar, readPublicCar } from '@keyturn/contract/cars/endpoints.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { type Endpoint, isAdminCaller } from '@keyturn/contract/shared/endpoint.ts'
import { moveTrade } from '@keyturn/contract/trades/endpoints.ts'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SentRequest, WireInput } from '../../../tests/support/browser.ts'
import { createDealerKey, signDealerRequest } from '../../../tests/support/dealers/dealer-client.ts'
import { enableDesk } from '../../../tests/support/dealers/enable-desk.ts'
import { exampleInputs, targetWithoutRows } from '../../../tests/support/example-inputs.ts'
import { newAddressHeaders } from '../../../tests/support/http/visitors.ts'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aCar, aCarForm, buyerSignature } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { addressLimits, type EndpointLimit, endpointLimits, signingLimit } from './endpoint-limits.ts'

const key = createDealerKey()
const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1', DEALER_WEBHOOK_SECRET: key })
const desk = enableDesk(server)
const [buyer, other, wholesaler] = [await aBuyer(server), await aSeller(server), await aWholesaler(server)]

// Windows must not end during a test on a slow machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** Endpoints that are limited in PostgreSQL (`throttles.ts`) or by their nature. */
const elsewhere = [
  'GET /user',
  'PATCH /user/edit',
  'DELETE /user/:userType/:id',
  'GET /buyer/:id',
  'GET /seller/:id',
  'GET /vin/:vin',
  'POST /trades',
  'GET /events',
  'POST /user/mail/prove',
  'POST /user/data',
  ...allEndpoints
    .filter(({ path, callers }) => path.startsWith('/auth/') || callers.every(isAdminCaller))
    .map(({ name }) => name),
]

// R-everywhere-16
test('defines a limit for every endpoint, and no limit without an endpoint', () => {
  const limited = [...Object.keys(endpointLimits), ...new Set(elsewhere)]
  expect(limited.sort()).toEqual(allEndpoints.map(({ name }) => name).sort())
})

const rows = allEndpoints.flatMap((call) => {
  const [limit] = endpointLimits[call.name] ?? []
  return limit ? [{ name: call.name, call, limit }] : []
})

test.each(rows)(
  '$name: allows the maximum, rejects the next request with a retry time, and serves others',
  async ({ call, limit }) => {
    const input = anInput(call)
    const who = mayMake(call, buyer) ? buyer : wholesaler
    // Requests without a session, such as those of a dealer's system, count per address.
    const isSigned = call.callers.includes('partner')
    const address = limit.per === 'address' || isSigned ? fromOne() : newAddressHeaders
    const from = () =>
      // The desk accepts requests from this machine only.
      call.name === deliverToDesk.name
        ? signDealerRequest(call, input, desk.key)
        : { ...address(), ...(isSigned && signDealerRequest(call, input, key)) }
    const max = who === wholesaler ? (limit.maxForWholesalers ?? limit.max) : limit.max
    // An unreachable limit would never be exhausted here.
    expect(max).toBeLessThan(1000)
    // A new passkey is valid only for the challenge before it.
    const refusals = call.name === addPasskey.name ? [429, 401, 403] : [429, 400, 401, 403]
    for (const { status } of await times(max, () => who.send(call, input, from())))
      expect(refusals).not.toContain(status)
    expectRefused(await who.send(call, input, from()), limit)
    if (isSigned) return
    const neighbor = limit.per === 'address' || mayMake(call, other) ? other : server.browser()
    expect((await neighbor.send(call, input, newAddressHeaders())).status).not.toBe(429)
  },
)

test('limits requests for public cars per address and hour', async () => {
  const car = await aCar(other)
  const from = fromOne()
  const look = () =>
    server.browser().send(readPublicCar, { params: { userId: other.id, vin: car.vin } }, from())
  for (let minute = 0; minute < 10; minute++) {
    for (const { status } of await times(60, look)) expect(status).toBe(200)
    vi.advanceTimersByTime(60_000)
  }
  const refused = await look()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBe(3600 - 600)
  vi.advanceTimersByTime(3_000_000)
  expect((await look()).status).toBe(200)
})

test('counts an IPv6 /64 network as one address', async () => {
  const look = (ip: string) =>
    server.browser().send(readPublicCar, anInput(readPublicCar), { 'x-forwarded-for': ip })
  await times(60, () => look('2001:db8:1:2::1'))
  expect((await look('2001:db8:1:2:ffff::7')).status).toBe(429)
  expect((await look('2001:db8:1:3::1')).status).toBe(404)
})

test('counts neither retries with the same key nor malformed requests', async () => {
  const seller = await aSeller(server)
  const body = aCarForm()
  const once = { 'idempotency-key': 'one car' }
  for (const { status } of await times(40, () => seller.send(addCar, { body: {} }, newAddressHeaders())))
    expect(status).toBe(400)
  const first = await seller.send(addCar, { body }, { ...newAddressHeaders(), ...once })
  for (const again of await times(40, () =>
    seller.send(addCar, { body }, { ...newAddressHeaders(), ...once }),
  ))
    expect([again.status, again.body]).toEqual([201, first.body])
})

test('allows a wholesaler sixty trade changes a minute', async () => {
  const move = () => wholesaler.send(moveTrade, anInput(moveTrade), newAddressHeaders())
  for (const { status } of await times(60, move)) expect(status).toBe(404)
  expectRefused(await move(), { max: 60, withinMs: 60_000 })
})

test('allows ten signatures an hour without limiting other steps', async () => {
  const at = { userId: other.id, vin: aCarForm().vin }
  const signer = await aBuyer(server)
  const sign = () =>
    signer.send(updateProgress, { body: { ...at, data: buyerSignature() } }, newAddressHeaders())
  for (const { status } of await times(10, sign)) expect(status).toBe(404)
  expectRefused(await sign(), signingLimit)
  const data = { userType: 'BUYER', step: [0] }
  expect((await signer.send(updateProgress, { body: { ...at, data } }, newAddressHeaders())).status).toBe(404)
})

const withPages = await buildApp(server.deps, createWebFolder({ 'app-1.js': 'export {}' }))
afterAll(() => withPages.close())

test.each([
  ['calls', '/openapi.json'],
  ['assets', '/assets/app-1.js'],
  ['pages', '/login'],
] as const)('limits an address’s requests for %s, but no other address', async (limit, url) => {
  const from = fromOne()
  const ask = (url: string, headers: Record<string, string> = from()) =>
    withPages.inject({ url, headers: { accept: 'text/html', ...headers } })
  for (const { statusCode } of await times(addressLimits[limit].max, () => ask(url)))
    expect(statusCode).toBe(200)
  const refused = await ask(url)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const isPage = limit === 'pages'
  if (isPage) expect(refused.body).toContain('<p>Too many requests. Please wait a moment and try again.</p>')
  const data = isPage ? await ask('/nothing', { ...from(), accept: 'application/json' }) : refused
  expect(data.json().errorCode).toBe('TooManyRequests')
  expect((await ask(url, newAddressHeaders())).statusCode).toBe(200)
  // Each of the three limits has its own count.
  const other = limit === 'calls' ? '/assets/app-1.js' : '/openapi.json'
  expect((await ask(other)).statusCode).toBe(200)
})

/** Targets rows that do not exist, or the buyer's own. */
function anInput(call: Endpoint): WireInput {
  const own = { ...targetWithoutRows(), buyerId: buyer.id }
  const target = call.name === 'POST /cars/input' ? { ...own, sellerId: buyer.id } : own
  // The last variant is not a signature, because those have their own limit.
  return exampleInputs(call, target).at(-1) ?? {}
}

function mayMake({ callers }: Endpoint, person: TestPerson): boolean {
  const isTrader = person !== wholesaler
  return callers.some((name) => ['anyone', 'verified', isTrader ? 'trader' : 'wholesaler'].includes(name))
}

function expectRefused(sent: SentRequest<Endpoint>, { withinMs }: EndpointLimit): void {
  expect([sent.status, sent.error.errorCode]).toEqual([429, 'TooManyRequests'])
  expect(sent.error.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute)s?\.$/)
  const seconds = Number(sent.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(withinMs / 1000)
}

/** Repeats a request, ten at a time. */
async function times<T>(count: number, go: () => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let left = count; left > 0; left -= 10)
    done.push(...(await Promise.all(Array.from({ length: Math.min(left, 10) }, go))))
  return done
}

function fromOne(): typeof newAddressHeaders {
  const headers = newAddressHeaders()
  return () => headers
}
