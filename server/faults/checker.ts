import type pg from 'pg'
import type { Database } from '../db/open.ts'
import { findEvidenceFaults } from '../deals/agreement/verify-evidence.ts'
import type { Sale } from './sales.ts'

export type Found = { lost: number; halfDone: number; doubled: number; evidence: number }

/** What a sale leaves behind, counted: each of it exactly so often. */
const traces = `
  select c.vin,
    (select count(*)::int from cars where vin = c.vin) as cars,
    (select count(*)::int from deals where car_id = c.id and status = 'ACCEPTED' and passed_at is not null) as deals,
    (select count(*)::int from signatures s join deals d on d.id = s.deal_id where d.car_id = c.id) as signatures,
    (select count(*)::int from packages p join deals d on d.id = p.deal_id where d.car_id = c.id) as packages,
    (select string_agg(e.event, ' ' order by e.id) from deal_events e join deals d on d.id = e.deal_id where d.car_id = c.id) as events
  from cars c where c.vin = any($1)`

const wholeSale = { cars: 1, deals: 1, signatures: 2, packages: 1 }
const wholeStory = 'started requested priceChanged confirmed sellerSigned buyerSigned passed'

/** What no moment may leave behind, whoever asked for it. */
const halfDone = [
  `select count(*)::int from deals where (passed_at is null) <> not exists (select from packages where deal_id = deals.id)`,
  `select count(*)::int from deals where status = 'ACCEPTED' and exclusive_until is not null
     and not exists (select from signatures where deal_id = deals.id and party = 'SELLER')`,
  `select count(*)::int from signatures s where not exists (
     select from deal_events e where e.deal_id = s.deal_id and e.event = lower(s.party) || 'Signed')`,
  `select count(*)::int from idempotency_keys where answer is null`,
]

/** Compares what was said with what is there, once everything has come to rest. */
export async function check({ db, pool }: Database, sales: readonly Sale[]): Promise<Found> {
  const vins = sales.map(({ vin }) => vin)
  const { rows } = await pool.query<Record<string, number | string>>(traces, [vins])
  const found: Found = { lost: 0, halfDone: 0, doubled: 0, evidence: (await findEvidenceFaults(db)).length }
  for (const { vin } of sales) {
    const row = rows.find((one) => one.vin === vin)
    const counts = Object.entries(wholeSale).map(([name, wanted]) => Number(row?.[name] ?? 0) - wanted)
    const events = String(row?.events ?? '')
    if (counts.some((off) => off < 0) || !isWithin(wholeStory, events)) found.lost++
    else if (counts.some((off) => off > 0) || events !== wholeStory) found.doubled++
  }
  for (const question of halfDone) found.halfDone += await count(pool, question)
  return found
}

/** Whether the one story's events all stand in the other, in their order. */
function isWithin(story: string, events: string): boolean {
  const rest = events.split(' ')
  return story.split(' ').every((event) => {
    const place = rest.indexOf(event)
    rest.splice(0, place + 1)
    return place >= 0
  })
}

async function count(pool: pg.Pool, question: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(question)
  return rows[0]?.count ?? 0
}
