import { dayGroups, insightWeeks, readInsights } from '@keyturn/contract/deals/insights.ts'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aWholesaler } from '../../../../tests/support/people.ts'
import * as moves from '../../../../tests/support/sales/deal-moves.ts'
import { aSaleAt, type Sale, type SaleStage } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTrade, aTradeAt } from '../../../../tests/support/trades.ts'

// A Wednesday. The window begins on Monday, September 7.
const now = '2026-11-25T12:00:00Z'
const firstWeek = '2026-09-07'
const thisWeek = '2026-11-23'

const server = await startTestServer()
await server.stopClock(now)
const administrator = await anAdministrator(server)
const read = () => administrator.ask(readInsights)

/** Creates the row in the past, as if the test had waited. */
const setTime = (table: 'cars' | 'trades', id: string, at: string) =>
  server.query(`update ${table} set created_at = $2 where id = $1`, [id, at])
const listedAt = ({ car }: Sale, at: string) => setTime('cars', car._id, at)

const weekOf = <Week extends { week: string }>(weeks: Week[], monday: string) =>
  weeks.find(({ week }) => week === monday)

test('returns zeros for each week while nothing has happened', async () => {
  const { funnel, daysToSign, deals, trades } = await read()
  expect(Object.values(funnel)).toEqual([0, 0, 0, 0, 0, 0])
  expect(daysToSign).toEqual({ median: null, groups: dayGroups.map(() => 0) })
  for (const weeks of [deals, trades]) {
    expect(weeks).toHaveLength(insightWeeks)
    expect([weeks[0]?.week, weeks.at(-1)?.week]).toEqual([firstWeek, thisWeek])
    expect(weeks.flatMap(({ counts }) => Object.values(counts)).every((count) => count === 0)).toBe(true)
  }
})

// R-deals-97
test('counts each car listed in the window at every step that one of its buyers has reached', async () => {
  const at = (stage: SaleStage) => aSaleAt(server, stage)
  await moves.removeListing(await at('started'))
  await moves.withdraw(await moves.anotherRequest(server, await at('requested')))
  await at('confirmed')
  await at('passed')
  await at('completed')
  await listedAt(await at('requested'), `${firstWeek}T00:00:00Z`)
  await listedAt(await at('completed'), '2026-09-06T23:59:59Z')
  const { funnel } = await read()
  expect(funnel).toEqual({ listed: 6, started: 6, requested: 5, confirmed: 3, signed: 2, completed: 1 })
})

// R-deals-97
test('groups deals by the full days to the second signature, and by its week and what became of them', async () => {
  const canceled = await aSaleAt(server, 'passed')
  await listedAt(canceled, '2026-11-22T12:00:00Z')
  await server.query('update deals set withdrawn_at = keyturn_now() where car_id = $1', [canceled.car._id])
  const earlier = await aSaleAt(server, 'passed')
  await listedAt(earlier, '2026-11-22T11:59:59Z')
  await server.query(`update deals set passed_at = '2026-11-22T23:59:59Z' where car_id = $1`, [
    earlier.car._id,
  ])
  const { deals, daysToSign } = await read()
  // Two on the day of the listing, and the one listed before the window.
  expect(daysToSign.groups).toEqual([3, 0, 1, 0, 0, 1])
  expect(daysToSign.median).toBeCloseTo(0.5, 4)
  expect(weekOf(deals, thisWeek)?.counts).toEqual({ completed: 2, atDealer: 1, canceled: 1 })
  expect(weekOf(deals, '2026-11-16')?.counts).toEqual({ completed: 0, atDealer: 1, canceled: 0 })
})

// R-deals-97
test('counts trades by the time until the first offer, and not those that still have time', async () => {
  const owner = await aBuyer(server)
  const wholesaler = await aWholesaler(server)
  const submittedAt = ({ _id }: { _id: string }, at: string) => setTime('trades', _id, at)
  const people = { owner, wholesaler }
  await submittedAt(await aTradeAt('ACCEPTED', people), '2026-11-25T09:00:00Z')
  await submittedAt(await aTradeAt('OFFER', people), '2026-11-25T08:59:59Z')
  await submittedAt(await aTrade(owner), '2026-11-25T09:00:00Z')
  await submittedAt(await aTrade(owner), '2026-11-25T09:00:01Z')
  const { trades } = await read()
  expect(weekOf(trades, thisWeek)?.counts).toEqual({ inTime: 1, late: 1, none: 1 })
})
