import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { allCalls } from '@keyturn/contract/calls.ts'
import { addCar, publicCarPage, warmVin } from '@keyturn/contract/cars/calls.ts'
import { updatePrice, updateProgress } from '@keyturn/contract/deals/calls.ts'
import { deliverToDesk } from '@keyturn/contract/deals/dealers/dealer-desk.ts'
import type { Call } from '@keyturn/contract/kit/call.ts'
import { moveTrade } from '@keyturn/contract/trades/calls.ts'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { openDesk } from '../dealer-desk/desk.ts'
import type { Sent, Wire } from '../test/browser.ts'
import { withStatements } from '../test/database.ts'
import { aKey, signatureOf } from '../test/dealers/partner.ts'
import { aCar, aCarForm, buyerSignature } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { inputsOf, nobodys } from '../test/inputs.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from '../test/people.ts'
import { keepSecret } from '../test/secrets.ts'
import { addressLimits, type CallLimit, callLimits, signingLimit } from './call-limits.ts'

const key = aKey()
const house = await openHouse({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1', DEALER_WEBHOOK_SECRET: key })
const desk = openDesk(house.deps.config)
if (!desk) throw new Error('There is no desk')
keepSecret(desk.key)
house.deps.desk = desk
const [buyer, other, wholesaler] = [await aBuyer(house), await aSeller(house), await aWholesaler(house)]

// However slow the machine is, no window ends while a limit is used up.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

/** Limited in PostgreSQL (`throttles.ts`), or by what they are. */
const elsewhere: Record<string, string> = {
  ...Object.fromEntries(
    allCalls.filter(({ path }) => path.startsWith('/auth/')).map(({ name }) => [name, 'guards an account']),
  ),
  'GET /user': 'readUser',
  'PATCH /user/edit': 'editUser',
  'DELETE /user/:userType/:id': 'deleteUser',
  'GET /buyer/:id': 'readPerson',
  'GET /seller/:id': 'readPerson',
  'GET /vin/:vin': 'lookUpVin',
  'POST /trades': 'addLimit',
  'GET /events': 'eight streams of one person',
  'GET /admin/mails': 'the administrator alone',
  'GET /admin/mails/queue': 'the administrator alone',
  'POST /admin/mails/:mailId/send': 'the administrator alone',
  'GET /admin/mails/:mailId/files': 'the administrator alone',
  'GET /admin/mails/:mailId/files/:file': 'the administrator alone',
  'POST /user/mail/prove': 'verifyMail',
  'GET /admin/wholesalers': 'the administrator alone',
  'POST /admin/wholesalers/:userId/approve': 'the administrator alone',
  'POST /admin/wholesalers/:userId/decline': 'the administrator alone',
  'DELETE /admin/cars/:carId': 'the administrator alone',
  'GET /admin/dealers': 'the administrator alone',
  'POST /admin/dealers': 'the administrator alone',
  'PUT /admin/dealers/:dealerId': 'the administrator alone',
  'POST /admin/dealers/:dealerId/test': 'the administrator alone',
  'GET /admin/deliveries': 'the administrator alone',
  'POST /admin/deliveries/:deliveryId/replay': 'the administrator alone',
  'GET /admin/reports': 'the administrator alone',
  'POST /admin/reports/:messageId/handled': 'the administrator alone',
  'GET /desk': 'the administrator alone',
  'GET /desk/deals': 'the administrator alone',
  'GET /desk/deals/:pkgId': 'the administrator alone',
  'GET /desk/deals/:pkgId/agreement': 'the administrator alone',
  'POST /desk/deals/:pkgId': 'the administrator alone',
}

// R-everywhere-16
test('every call has a limit, here or where it guards an account, and every limit is one of a call', () => {
  const limited = [...Object.keys(callLimits), ...Object.keys(elsewhere)]
  expect(limited.sort()).toEqual(allCalls.map(({ name }) => name).sort())
})

const rows = allCalls.flatMap((call) => {
  const [limit] = callLimits[call.name] ?? []
  return limit ? [{ name: call.name, call, limit }] : []
})

test.each(rows)(
  '$name: so many are answered, the next one is told how long to wait, and others are served',
  async ({ call, limit }) => {
    const input = anInput(call)
    const who = mayMake(call, buyer) ? buyer : wholesaler
    // Whoever is not signed in is counted by address, a dealer's system like anybody else.
    const isSigned = call.who.includes('partner')
    const address = limit.per === 'address' || isSigned ? fromOne() : fromAnywhere
    const from = () =>
      // The desk exists for this machine alone.
      call.name === deliverToDesk.name
        ? signatureOf(call, input, desk.key)
        : { ...address(), ...(isSigned && signatureOf(call, input, key)) }
    const most = who === wholesaler ? (limit.mostOfWholesaler ?? limit.most) : limit.most
    // A limit that nobody reaches is none, and would be used up here without end.
    expect(most).toBeLessThan(1000)
    for (const { status } of await times(most, () => who.send(call, input, from())))
      expect([429, 400, 401, 403]).not.toContain(status)
    expectRefused(await who.send(call, input, from()), limit)
    if (isSigned) return
    const neighbor = limit.per === 'address' || mayMake(call, other) ? other : house.browser()
    expect((await neighbor.send(call, input, fromAnywhere())).status).not.toBe(429)
  },
)

test('an address that asks for public cars all day is told to come back within the hour', async () => {
  const car = await aCar(other)
  const from = fromOne()
  const look = () =>
    house.browser().send(publicCarPage, { params: { userId: other.id, vin: car.vin } }, from())
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

test('a network of 64 bits counts as one address', async () => {
  const look = (ip: string) =>
    house.browser().send(publicCarPage, anInput(publicCarPage), { 'x-forwarded-for': ip })
  await times(60, () => look('2001:db8:1:2::1'))
  expect((await look('2001:db8:1:2:ffff::7')).status).toBe(429)
  expect((await look('2001:db8:1:3::1')).status).toBe(404)
})

test('what is sent again with the same key, or was not well-formed, does not count', async () => {
  const seller = await aSeller(house)
  const body = aCarForm()
  const once = { 'idempotency-key': 'one car' }
  for (const { status } of await times(40, () => seller.send(addCar, { body: {} }, fromAnywhere())))
    expect(status).toBe(400)
  const first = await seller.send(addCar, { body }, { ...fromAnywhere(), ...once })
  for (const again of await times(40, () => seller.send(addCar, { body }, { ...fromAnywhere(), ...once })))
    expect([again.status, again.body]).toEqual([201, first.body])
})

test('setting a price asks the database no more often with limits than without', async () => {
  const free = await openHouse()
  const asked: string[][] = []
  for (const at of [house, free]) {
    const seller = at === house ? other : await aSeller(at)
    const car = await aCar(seller)
    const set = async (newPrice: number) =>
      expect(
        (await seller.send(updatePrice, { params: { carId: car._id }, body: { newPrice } }, fromAnywhere()))
          .status,
      ).toBe(200)
    await set(9000)
    asked.push((await withStatements(() => set(9100))).statements.map(({ text }) => text))
  }
  expect(asked[0]).toEqual(asked[1])
})

test('a wholesaler moves sixty trades a minute', async () => {
  const move = () => wholesaler.send(moveTrade, anInput(moveTrade), fromAnywhere())
  for (const { status } of await times(60, move)) expect(status).toBe(404)
  expectRefused(await move(), { most: 60, withinMs: 60_000 })
})

test('one person signs ten times an hour; their other steps go on', async () => {
  const at = { userId: other.id, vin: aCarForm().vin }
  const signer = await aBuyer(house)
  const sign = () => signer.send(updateProgress, { body: { ...at, data: buyerSignature() } }, fromAnywhere())
  for (const { status } of await times(10, sign)) expect(status).toBe(404)
  expectRefused(await sign(), signingLimit)
  const data = { userType: 'BUYER', step: [0] }
  expect((await signer.send(updateProgress, { body: { ...at, data } }, fromAnywhere())).status).toBe(404)
})

test('with RATE_LIMITS=off nothing of this is counted', async () => {
  const free = await openHouse()
  const person = await aBuyer(free)
  for (const { status } of await times(30, () => person.send(warmVin))) expect(status).toBe(200)
})

test('an address has 600 calls a minute, whatever it asks for, and takes none from another', async () => {
  const from = fromOne()
  const call = () => house.app.inject({ url: '/openapi.json', headers: from() })
  for (const { statusCode } of await times(addressLimits.calls.most, call)) expect(statusCode).toBe(200)
  const refused = await call()
  expect([refused.statusCode, refused.json().errorCode]).toEqual([429, 'TooManyRequests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const elsewhere = await house.app.inject({ url: '/openapi.json', headers: fromAnywhere() })
  expect(elsewhere.statusCode).toBe(200)
})

const folder = mkdtempSync(join(tmpdir(), 'keyturn-limits-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Keyturn</title>')
writeFileSync(join(folder, 'assets', 'app-1.js'), 'export {}')
const withPages = await buildApp(house.deps, pathToFileURL(`${folder}/`))
afterAll(async () => {
  await withPages.close()
  rmSync(folder, { recursive: true })
})

test('who opens pages without end reads a sentence and is told how long to wait; a stranger’s page opens', async () => {
  const from = fromOne()
  const accept = { accept: 'text/html,application/xhtml+xml' }
  const open = () => withPages.inject({ url: '/login', headers: { ...from(), ...accept } })
  for (const { statusCode } of await times(addressLimits.pages.most, open)) expect(statusCode).toBe(200)
  const refused = await open()
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'self'"),
  })
  expect(refused.body).toContain('That was a lot at once. Please wait a moment and try again.')
  const unknown = await withPages.inject({ url: '/no/such/call', headers: from() })
  expect([unknown.statusCode, unknown.json().errorCode]).toEqual([429, 'TooManyRequests'])
  const stranger = await withPages.inject({ url: '/login', headers: { ...fromAnywhere(), ...accept } })
  expect(stranger.statusCode).toBe(200)
})

test('the files of a hundred first visits a minute take nothing from the calls of that address, and end too', async () => {
  const from = fromOne()
  const load = () => withPages.inject({ url: '/assets/app-1.js', headers: from() })
  for (const { statusCode } of await times(addressLimits.assets.most, load)) expect(statusCode).toBe(200)
  const refused = await load()
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await withPages.inject({ url: '/openapi.json', headers: from() })).statusCode).toBe(200)
})

/** Aimed at rows that do not exist, unless they are the buyer's own. */
function anInput(call: Call): Wire {
  const own = { ...nobodys(), buyerId: buyer.id }
  const target = call.name === 'POST /cars/input' ? { ...own, sellerId: buyer.id } : own
  // The last way to move on is no signature: those have a limit of their own.
  return inputsOf(call, target).at(-1) ?? {}
}

function mayMake({ who }: Call, person: TestPerson): boolean {
  const isTrader = person !== wholesaler
  return who.some((name) => ['anyone', 'verified', isTrader ? 'trader' : 'wholesaler'].includes(name))
}

function expectRefused(sent: Sent<Call>, { withinMs }: CallLimit): void {
  expect([sent.status, sent.refusal.errorCode]).toEqual([429, 'TooManyRequests'])
  expect(sent.refusal.message).toMatch(/^Too many tries\. Please try again in \d+ (second|minute)s?\.$/)
  const seconds = Number(sent.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(withinMs / 1000)
}

/** Ten at a time. */
async function times<T>(count: number, go: () => Promise<T>): Promise<T[]> {
  const done: T[] = []
  for (let left = count; left > 0; left -= 10)
    done.push(...(await Promise.all(Array.from({ length: Math.min(left, 10) }, go))))
  return done
}

let count = 0
const fromAnywhere = () => ({
  'x-forwarded-for': `198.${51 + (++count >> 16)}.${(count >> 8) & 255}.${count & 255}`,
})
function fromOne(): typeof fromAnywhere {
  const headers = fromAnywhere()
  return () => headers
}
