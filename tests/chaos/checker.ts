import type pg from 'pg'
import { findEvidenceFaults } from '../../server/modules/agreements/verify-evidence.ts'
import type { Database } from '../../server/platform/database/open-database.ts'
import type { Outside } from './outside.ts'
import type { Sale } from './sales.ts'

export type Found = {
  lost: number
  halfDone: number
  doubled: number
  outOfOrder: number
  twoWinners: number
  evidence: number
}
/** What external systems received; null when another system was used. */
export type Heard = { letters: Outside['letters'] | null; taken: Outside['taken'] | null }

/** Exact counts of what a complete sale creates. */
const whole = { cars: 1, deals: 1, signatures: 2, packages: 1, photos: 1, trades: 1, deliveries: 1 }
const answered = ' dealerAccepted sellerPaid'
const stories = {
  deal: `started requested priceChanged confirmed sellerSigned buyerSigned passed${answered}`,
  trade: 'submit offer accept',
}
type Trace = Record<keyof typeof whole, number> & { winners: number } & typeof stories

const ofCar = 'd.car_id = c.id'
const traces = `
  select c.vin, (select count(*)::int from cars where vin = c.vin) as cars, jsonb_array_length(c.photos) as photos,
    (select count(*)::int from deals d where ${ofCar} and status = 'ACCEPTED' and passed_at is not null) as deals,
    (select count(*)::int from deals d where ${ofCar} and has_car(d)) as winners,
    (select count(*)::int from signatures s join deals d on d.id = s.deal_id where ${ofCar}) as signatures,
    (select count(*)::int from packages p join deals d on d.id = p.deal_id where ${ofCar}) as packages,
    (select count(*)::int from deliveries v join deals d on d.id = v.deal_id where ${ofCar} and v.kind = 'deal.passed') as deliveries,
    (select count(*)::int from trades t where t.vin = sale.trade_vin and t.status = 'ACCEPTED') as trades,
    (select string_agg(e.event, ' ' order by e.id) from deal_events e join deals d on d.id = e.deal_id
      where ${ofCar} and d.passed_at is not null) as deal,
    (select string_agg(e.event, ' ' order by e.id) from trade_events e join trades t on t.id = e.trade_id
      where t.vin = sale.trade_vin) as trade
  from unnest($1::text[], $2::text[]) as sale (vin, trade_vin) join cars c on c.vin = sale.vin`

/** Inconsistencies that must never exist, whatever the cause. */
const halfDone = [
  `select count(*)::int from deals where (passed_at is null) <> not exists (select from packages where deal_id = deals.id)`,
  `select count(*)::int from deals where status = 'ACCEPTED' and exclusive_until is not null
     and not exists (select from signatures where deal_id = deals.id and party = 'SELLER')`,
  `select count(*)::int from signatures s where not exists (
     select from deal_events e where e.deal_id = s.deal_id and e.event = lower(s.party) || 'Signed')`,
  // What waits has somebody who will do it.
  `select count(*)::int from mails where num_nonnulls(sent_at, dead_at, joined_into) = 0
     and not exists (select from jobs where name in ('send-mail', 'send-mail-with-files') and payload ->> 'id' = mails.id)`,
  `select count(*)::int from deliveries where state = 'WAITING'
     and not exists (select from jobs where name = 'deliver-deal' and payload ->> 'dealId' = deliveries.deal_id)`,
]

/** Compares the responses with the database once all work has finished. */
export async function check(
  { db, pool }: Pick<Database, 'db'> & { pool: pg.Pool | pg.ClientBase },
  sales: readonly Sale[],
  { letters, taken }: Heard,
): Promise<Found> {
  const ask = async <Row extends pg.QueryResultRow>(text: string, given: unknown[] = []) =>
    (await pool.query<Row>(text, given)).rows
  const rows = await ask<Trace & { vin: string }>(traces, [
    sales.map(({ vin }) => vin),
    sales.map(({ tradeVin }) => tradeVin),
  ])
  const found: Found = {
    ...{ lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0 },
    evidence: (await findEvidenceFaults(db)).length,
  }
  for (const { vin, isAnswered } of sales) {
    const verdict = verdictOf(
      rows.find((row) => row.vin === vin),
      isAnswered,
    )
    if (verdict) found[verdict]++
  }
  for (const question of halfDone) found.halfDone += (await ask<{ count: number }>(question))[0]?.count ?? 0
  const sent = await ask<{ id: string }>('select message_id as id from mails where sent_at is not null')
  const delivered = await ask<{ id: string }>(
    `select 'msg_' || id as id from deliveries where state = 'DELIVERED'`,
  )
  if (letters) {
    const arrived = letters()
    found.lost += countUnknown(sent, arrived)
    // A repeated identical email counts once; two different ones under one id are doubled.
    found.doubled += [...arrived.values()].filter(({ size }) => size > 1).length
  }
  if (taken) found.lost += countUnknown(delivered, taken())
  return found
}

type Flaw = 'lost' | 'doubled' | 'outOfOrder' | 'twoWinners'

/** Returns the worst flaw of a sale that was acknowledged as complete. */
function verdictOf(trace: Trace | undefined, isAnswered = true): Flaw | null {
  if (!trace) return 'lost'
  if (trace.winners > 1) return 'twoWinners'
  const counts = Object.entries(whole).map(([name, wanted]) => trace[name as keyof typeof whole] - wanted)
  const told = (['deal', 'trade'] as const).map((which) => ({
    is: (trace[which] ?? '').split(' '),
    wanted: stories[which].replace(isAnswered ? '' : answered, '').split(' '),
  }))
  const lacks = ({ is, wanted }: (typeof told)[number]) => wanted.some((event) => !is.includes(event))
  if (counts.some((off) => off < 0) || told.some(lacks)) return 'lost'
  const hasMore = ({ is, wanted }: (typeof told)[number]) => is.length > wanted.length
  if (counts.some((off) => off > 0) || told.some(hasMore)) return 'doubled'
  return told.every(({ is, wanted }) => is.join() === wanted.join()) ? null : 'outOfOrder'
}

const countUnknown = (rows: readonly { id: string }[], heard: { has(id: string): boolean }): number =>
  rows.filter(({ id }) => !heard.has(id)).length
