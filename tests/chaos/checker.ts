import type pg from 'pg'
import { findEvidenceFaults } from '../../server/modules/agreements/find-evidence-faults.ts'
import type { Database } from '../../server/platform/database/open-database.ts'
import type { ExternalSystems } from './external-systems.ts'
import type { Sale } from './sales.ts'

export type Found = {
  lost: number
  halfDone: number
  doubled: number
  outOfOrder: number
  twoWinners: number
  evidence: number
}
/** Emails and deliveries that external systems received; null when another system was used. */
export type Received = {
  emails: ExternalSystems['emails'] | null
  deliveries: ExternalSystems['deliveries'] | null
}

/** Number of rows that a complete sale creates. */
const expectedCounts = { cars: 1, deals: 1, signatures: 2, packages: 1, photos: 1, trades: 1, deliveries: 1 }
const dealerEvents = ' dealerAccepted sellerPaid'
const expectedEvents = {
  deal: `started requested priceChanged confirmed sellerSigned buyerSigned passed${dealerEvents}`,
  trade: 'submit offer accept',
}
type SaleRow = Record<keyof typeof expectedCounts, number> & { winners: number } & typeof expectedEvents

const ofCar = 'd.car_id = c.id'
const salesQuery = `
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

/** Queries that count inconsistencies, which must never exist. */
const inconsistencies = [
  `select count(*)::int from deals where (passed_at is null) <> not exists (select from packages where deal_id = deals.id)`,
  `select count(*)::int from deals where status = 'ACCEPTED' and exclusive_until is not null
     and not exists (select from signatures where deal_id = deals.id and party = 'SELLER')`,
  `select count(*)::int from signatures s where not exists (
     select from deal_events e where e.deal_id = s.deal_id and e.event = lower(s.party) || 'Signed')`,
  // Waiting emails and deliveries have a job.
  `select count(*)::int from mails where num_nonnulls(sent_at, dead_at, joined_into) = 0
     and not exists (select from jobs where name in ('send-mail', 'send-mail-with-files') and payload ->> 'id' = mails.id)`,
  `select count(*)::int from deliveries where state = 'WAITING'
     and not exists (select from jobs where name = 'deliver-deal' and payload ->> 'dealId' = deliveries.deal_id)`,
]

/** Compares the responses with the database once all work has finished. */
export async function findViolations(
  { db, pool }: Pick<Database, 'db'> & { pool: pg.Pool | pg.ClientBase },
  sales: readonly Sale[],
  { emails, deliveries }: Received,
): Promise<Found> {
  const query = async <Row extends pg.QueryResultRow>(text: string, given: unknown[] = []) =>
    (await pool.query<Row>(text, given)).rows
  const rows = await query<SaleRow & { vin: string }>(salesQuery, [
    sales.map(({ vin }) => vin),
    sales.map(({ tradeVin }) => tradeVin),
  ])
  const found: Found = {
    ...{ lost: 0, halfDone: 0, doubled: 0, outOfOrder: 0, twoWinners: 0 },
    evidence: (await findEvidenceFaults(db)).length,
  }
  for (const { vin, hasDealerSteps } of sales) {
    const verdict = worstFlaw(
      rows.find((row) => row.vin === vin),
      hasDealerSteps,
    )
    if (verdict) found[verdict]++
  }
  for (const text of inconsistencies) found.halfDone += (await query<{ count: number }>(text))[0]?.count ?? 0
  const sent = await query<{ id: string }>('select message_id as id from mails where sent_at is not null')
  const delivered = await query<{ id: string }>(
    `select 'msg_' || id as id from deliveries where state = 'DELIVERED'`,
  )
  if (emails) {
    const arrived = emails()
    found.lost += countMissing(sent, arrived)
    // Identical emails with one id count once; different ones count as doubled.
    found.doubled += [...arrived.values()].filter(({ size }) => size > 1).length
  }
  if (deliveries) found.lost += countMissing(delivered, deliveries())
  return found
}

type Flaw = 'lost' | 'doubled' | 'outOfOrder' | 'twoWinners'

/** Returns the worst flaw of a sale that was acknowledged as complete. */
function worstFlaw(row: SaleRow | undefined, hasDealerSteps = true): Flaw | null {
  if (!row) return 'lost'
  if (row.winners > 1) return 'twoWinners'
  const counts = Object.entries(expectedCounts).map(
    ([name, expected]) => row[name as keyof typeof expectedCounts] - expected,
  )
  const events = (['deal', 'trade'] as const).map((which) => ({
    actual: (row[which] ?? '').split(' '),
    expected: expectedEvents[which].replace(hasDealerSteps ? '' : dealerEvents, '').split(' '),
  }))
  const lacks = ({ actual, expected }: (typeof events)[number]) =>
    expected.some((event) => !actual.includes(event))
  if (counts.some((off) => off < 0) || events.some(lacks)) return 'lost'
  const hasMore = ({ actual, expected }: (typeof events)[number]) => actual.length > expected.length
  if (counts.some((off) => off > 0) || events.some(hasMore)) return 'doubled'
  return events.every(({ actual, expected }) => actual.join() === expected.join()) ? null : 'outOfOrder'
}

const countMissing = (rows: readonly { id: string }[], received: { has(id: string): boolean }): number =>
  rows.filter(({ id }) => !received.has(id)).length
