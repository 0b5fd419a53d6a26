import { setTimeout as wait } from 'node:timers/promises'
import { login } from '@keyturn/contract/accounts/endpoints.ts'
import {
  getProgress,
  listCarsOfUser,
  listRequests,
  listSoldCars,
  readTimeline,
} from '@keyturn/contract/deals/endpoints.ts'
import { buyerStage, sellerStage } from '@keyturn/contract/deals/stages.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import { hasValidCheckDigit } from '@keyturn/contract/shared/vin.ts'
import { listTrades, listTradesOfUser } from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../tests/support/browser.ts'
import { startTestServer, type TestServer } from '../../../tests/support/test-server.ts'
import { type DemoCarName, demoCars, demoTrades } from './demo-cars.ts'
import { type DemoPersonName, demoPeople, demoPersonNames } from './demo-people.ts'
import { seedDemo } from './seed.ts'

const server = await startTestServer()
const said: string[] = []
const print = (line: string) => {
  said.push(line)
}
const demoOf = ({ deps, owner: { db, pool } }: TestServer, print: (line: string) => void) =>
  seedDemo({ ...deps, db, pool }, print)
const made = await demoOf(server, print)
const people = Object.fromEntries(
  await Promise.all(demoPersonNames.map(async (name) => [name, await signIn(name)] as const)),
) as Record<DemoPersonName, Browser & { id: string }>

test('lets every listed person sign in', () => {
  expect(said).toEqual(['Creating the demo accounts'])
  expect(made.map((person) => person.who)).toEqual(demoPersonNames.map((name) => demoPeople[name].who))
  expect(Object.keys(people)).toEqual(demoPersonNames)
})

test('creates and prints nothing when started again', async () => {
  const before = await counts(server)
  expect(await demoOf(server, print)).toEqual(made)
  expect(await counts(server)).toEqual(before)
  expect(said).toHaveLength(1)
})

test('covers every stage of the wizard', async () => {
  const stages: [DemoPersonName, DemoCarName, number][] = [
    ['elena', 'outback', 0],
    ['marcus', 'bmw', 1],
    ['grace', 'jetta', 3],
    ['elena', 'sonata', 3],
    ['grace', 'sonata', 4],
    ['elena', 'silverado', 5],
    ['elena', 'civic', 6],
    ['elena', 'soul', 7],
  ]
  for (const [name, car, stage] of stages)
    expect([name, car, buyerStage(await progressOf(name, car))]).toEqual([name, car, stage])
  expect((await progressOf('grace', 'jetta')).pendingTradeInApproval).toBe(true)
})

test('covers every stage of a sale', async () => {
  expect(await progressOf('elena', 'altima')).toMatchObject({
    status: 'REJECTED',
    message: expect.stringContaining('$11,000'),
  })
  expect(await progressOf('elena', 'f150')).toMatchObject({ status: 'PENDING', taken: true })
  expect(await progressOf('elena', 'golf')).toMatchObject({ status: 'ACCEPTED', agreementSigned: false })
  expect(await progressOf('elena', 'mini')).toMatchObject({ status: 'PENDING', exclusivityExpired: true })
  expect(await progressOf('elena', 'mustang')).toMatchObject({ status: 'ACCEPTED', buyerSigned: false })
  const told = 'started requested buyerSigned priceChanged termsChanged confirmed'
  expect(await timelineOf('elena', 'mustang')).toEqual(told.split(' '))
  const held = await progressOf('elena', 'cx5')
  expect(held).toMatchObject({ sellerSigned: true, buyerSigned: false })
  const hoursLeft = (Date.parse(held.exclusiveUntil ?? '') - Date.parse(held.now)) / 3_600_000
  expect(hoursLeft).toBeGreaterThan(48)
  expect(hoursLeft).toBeLessThan(54)
  expect(await progressOf('elena', 'wrangler')).toMatchObject({ fullySigned: true, completed: false })
  const completed = await progressOf('elena', 'odyssey')
  expect([completed.completed, sellerStage(completed)]).toEqual([true, 3])
  expect((await people.victor.ask(listSoldCars)).map((car) => car.completed)).toEqual([false, true])
})

test('has one car with three requests, the oldest first', async () => {
  const cars = await people.maya.ask(listCarsOfUser, { params: { userId: people.maya.id } })
  const civic = cars.find((car) => car.vin === demoCars.civic.vin)
  const requests = await people.maya.ask(listRequests, { params: { carId: civic?._id ?? '' } })
  expect(requests.map((request) => request.buyer.firstName)).toEqual(['Grace', 'Elena', 'Marcus'])
  expect(requests[2]?.trades.map((trade) => trade.vin)).toEqual([demoTrades.prius.vin])
})

test('has trades in every status, people without cars, and an unapproved wholesaler', async () => {
  const trades = await people.marcus.ask(listTradesOfUser, { params: { userId: people.marcus.id } })
  expect(new Set(trades.map((trade) => trade.status))).toEqual(new Set(tradeStatuses))
  expect(await people.nora.ask(listCarsOfUser, { params: { userId: people.nora.id } })).toEqual([])
  expect(await people.omar.ask(listCarsOfUser, { params: { userId: people.omar.id } })).toEqual([])
  expect((await people.wanda.send(listTrades)).status).toBe(403)
  expect((await people.elena.ask(listNotifications)).length).toBeGreaterThan(2)
})

test('restores the real clock and leaves nothing in the future', async () => {
  const [clock] = await server.query<{ behind: number; body: string }>(
    `select extract(epoch from now() - keyturn_now())::int as behind, prosrc as body from pg_proc where proname = 'keyturn_now'`,
  )
  expect(clock).toEqual({ behind: 0, body: ' select now() ' })
  const [late] = await server.query<{ count: number }>('select count(*) from deal_events where at > now()')
  expect(late).toEqual({ count: 0 })
})

test('leaves the emails in the mailbox, except those with used links', async () => {
  const letters = await server.query<{ subject: string }>('select subject from mails')
  expect(letters.length).toBeLessThan(80)
  expect(letters.map((letter) => letter.subject)).not.toContain('Verify your email')
})

test('uses valid, unique VINs, but not the VIN from the README', () => {
  const vins = [...Object.values(demoCars), ...Object.values(demoTrades)].map((car) => car.vin)
  expect(vins.filter((vin) => !hasValidCheckDigit(vin))).toEqual([])
  expect(new Set(vins).size).toBe(vins.length)
  expect(vins).not.toContain('1HGCM82633A004352')
})

test('runs once when two servers start together, and leaves nothing when one crashes', async () => {
  const other = await startTestServer()
  await endHalfWay(other)
  expect(await counts(other)).toMatchObject({ users: 0, cars: 0 })
  const both = await Promise.all([demoOf(other, () => {}), demoOf(other, () => {})])
  expect(both).toEqual([made, made])
  expect(await counts(other)).toEqual(await counts(server))
})

test('neither recreates nor lists a person who deleted the account', async () => {
  await server.query("update users set email = null, deleted_at = now() where email = 'nora@example.com'")
  const named = await demoOf(server, print)
  expect(named).toEqual(made.filter((person) => person.email !== 'nora@example.com'))
})

async function signIn(name: DemoPersonName) {
  const browser = server.browser()
  const { email, password } = demoPeople[name]
  const user = await browser.ask(login, { body: { email, password } })
  return { ...browser, id: user._id }
}

const progressOf = async (name: DemoPersonName, car: DemoCarName) =>
  people[name].ask(getProgress, { params: await dealOf(name, car) })

const timelineOf = async (name: DemoPersonName, car: DemoCarName) =>
  (await people[name].ask(readTimeline, { params: await dealOf(name, car) }))
    .map(({ event }) => event)
    .reverse()

async function dealOf(name: DemoPersonName, car: DemoCarName) {
  const { vin } = demoCars[car]
  const cars = await people[name].ask(listCarsOfUser, { params: { userId: people[name].id } })
  return { userId: cars.find((one) => one.vin === vin)?.sellerId ?? '', vin }
}

async function counts({ query }: TestServer): Promise<Record<string, number> | undefined> {
  const tables = ['users', 'cars', 'deals', 'trades', 'signatures', 'deal_events', 'mails', 'notifications']
  const columns = tables.map((table) => `(select count(*) from ${table}) as ${table}`)
  return (await query<Record<string, number>>(`select ${columns.join(', ')}`))[0]
}

/** Blocks the seed at its first package and cancels it there. */
async function endHalfWay(server: TestServer): Promise<void> {
  const { owner, query } = server
  const client = await owner.pool.connect()
  await client.query('begin')
  // Long enough for the seed to reach its first package.
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query('lock table packages')
  const failed = expect(demoOf(server, () => {})).rejects.toThrow()
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await query(cancel)).length === 0) await wait(20)
  await failed
  await client.query('rollback')
  client.release()
}
