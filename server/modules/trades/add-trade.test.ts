import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aWholesaler, readEmailsTo } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade, aTradeForm, statusAndCode } from '../../../tests/support/trades.ts'

// POST /trades

const server = await startTestServer()
const [owner, stranger] = await Promise.all([
  aBuyer(server, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(server),
])

// R-trades-11
test('creates a trade as PENDING and without a price, regardless of the sent values', async () => {
  const form = { ...aTradeForm({ message: 'New tyres.' }), buyerId: owner.id }
  const sent = await owner.send(calls.addTrade, {
    body: { ...form, status: 'ACCEPTED', price: 99_999, salesTax: 5, active: true, _id: 'f'.repeat(24) },
  })
  expect(sent.status).toBe(201)
  const beginning = { status: 'PENDING', price: null, salesTax: null, active: false }
  expect(sent.answer).toMatchObject({ ...form, ...beginning })
  expect(sent.answer.buyer).toBeUndefined()
})

// R-trades-12
test('rejects a VIN that the same person adds twice, but accepts it from two people', async () => {
  const form = aTradeForm()
  await owner.ask(calls.addTrade, { body: form })
  const again = { ...form, vin: ` ${form.vin.toLowerCase()} ` }
  expect(await statusAndCode(owner.send(calls.addTrade, { body: again }))).toEqual([409, 'TradeAlreadyAdded'])
  await stranger.ask(calls.addTrade, { body: form })
})

test('creates one trade from twenty concurrent requests', async () => {
  const form = aTradeForm()
  const sent = await Promise.all(Array.from({ length: 20 }, () => owner.send(calls.addTrade, { body: form })))
  expect(sent.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
})

test('reports a year that is too far in the future under its field', async () => {
  const body = aTradeForm({ year: new Date().getFullYear() + 3 })
  const { status, error } = await owner.send(calls.addTrade, { body })
  expect([status, error.errors]).toEqual([400, [{ path: 'year', message: 'Invalid year.' }]])
})

test('rejects a trade added for somebody else', async () => {
  const forOwner = { ...aTradeForm(), buyerId: owner.id }
  expect(await statusAndCode(stranger.send(calls.addTrade, { body: forOwner }))).toEqual([404, 'NotFound'])
})

// R-trades-23
test('emails approved wholesalers without naming the owner', async () => {
  const reader = await aWholesaler(server)
  await aTrade(owner, { make: 'Mailed' })
  const [mail] = await readEmailsTo(server, reader.email)
  expect(mail?.subject).toBe('A new trade request: 2013 Mailed F-150 XLT')
  for (const secret of [owner.firstName, owner.lastName, owner.email, owner.phoneNumber])
    expect(mail?.text).not.toContain(secret)
})

test('limits each person to twenty trades an hour', async () => {
  const other = await startTestServer({ RATE_LIMITS: 'on' })
  const own = await aBuyer(other)
  const first = { body: aTradeForm() }
  const key = { 'idempotency-key': 'before-the-limit' }
  await own.ask(calls.addTrade, first, key)
  for (let count = 1; count < 20; count++) await aTrade(own)
  const sent = await own.send(calls.addTrade, { body: aTradeForm() })
  expect([sent.status, sent.error.errorCode]).toEqual([429, 'TooManyRequests'])
  // A repeated request does not count as a new one.
  expect((await own.send(calls.addTrade, first, key)).status).toBe(201)
  // A temporary error is not stored: the same key succeeds once the limit allows it.
  const again = [{ body: aTradeForm() }, { 'idempotency-key': 'over the limit' }] as const
  expect((await own.send(calls.addTrade, ...again)).status).toBe(429)
  await other.query('delete from throttles')
  expect((await own.send(calls.addTrade, ...again)).status).toBe(201)
})

test('emails at most a hundred wholesalers', async () => {
  await server.query(
    `insert into users (id, email, user_type, first_name, last_name, phone_number, password_hash, verified_at, approved_at)
     select lpad(to_hex(n + 4096), 24, '0'), 'one-of-many-' || n || '@example.com', 'WHOLESALER', 'Wes', 'Holt',
       '303-555-0100', 'none', keyturn_now(), keyturn_now()
     from generate_series(1, 101) n`,
  )
  await aTrade(owner, { make: 'Crowded' })
  const told = await server.query("select 1 from mails where subject like '%Crowded%'")
  expect(told).toHaveLength(100)
})
