import {
  type DealStatus,
  dealStatuses,
  findIntendedDeal,
  isActiveRequest,
  isPending,
  isReserved,
  possibleDealMoves,
} from '@keyturn/contract/deals/rules.ts'
import { acceptsMessages } from '@keyturn/contract/messages/rules.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { aBuyer, type TestPerson } from '../../../tests/support/people.ts'
import { aListing, type Sale } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import { findDealById } from './deal-view-repository.ts'
import { toDealFacts } from './mappers.ts'
import * as states from './state-sql.ts'
import { deals, hasCar } from './tables.ts'

// The states of a deal in TypeScript (contract/deals/rules.ts) equal those of the database's
// functions.

const server = await startTestServer()
const buyers = await Promise.all(Array.from({ length: 8 }, () => aBuyer(server)))
await server.stopClock('2026-06-01 12:00:00+00')

type Row = {
  status: DealStatus
  requestedAt?: string
  exclusiveUntil?: string
  isPassed?: boolean
  isWithdrawn?: boolean
}

/** Inserts a deal, bypassing all rules. */
async function insertDeal(
  { car, seller }: Pick<Sale, 'car' | 'seller'>,
  buyer: TestPerson | undefined,
  row: Row,
) {
  const id = newId()
  await server.query(
    `insert into deals (id, car_id, seller_id, buyer_id, status, price_cents, requested_at, exclusive_until, passed_at, package_id, withdrawn_at, dealer_id)
     values ($1, $2, $3, $4, $5, 900000, $6, $7, $8, $9, $10,
       case when $8::timestamptz is null then null else dealer_for(null) end)`,
    [
      id,
      car._id,
      seller.id,
      buyer?.id,
      row.status,
      row.requestedAt ?? null,
      row.exclusiveUntil ?? null,
      ...(row.isPassed ? ['2026-05-01', newId()] : [null, null]),
      row.isWithdrawn ? '2026-05-02' : null,
    ],
  )
  return id
}

const [before, atClock, after] = [
  '2026-06-01 11:59:59+00',
  '2026-06-01 12:00:00+00',
  '2026-06-01 12:00:01+00',
]
const everyRow: Row[] = dealStatuses.flatMap((status) =>
  [undefined, before, atClock, after].flatMap((exclusiveUntil) =>
    [false, true].flatMap((isWithdrawn) =>
      [false, true]
        .filter((isPassed) => isPassed || status !== 'COMPLETED')
        .map((isPassed) => ({
          status,
          isPassed,
          isWithdrawn,
          ...(exclusiveUntil ? { exclusiveUntil } : {}),
        })),
    ),
  ),
)

// R-deals-83
test('returns the same results from every database function as from the rules', async () => {
  const listing = await aListing(server)
  for (const row of everyRow) {
    const id = await insertDeal(listing, buyers[0], row)
    const [view] = await findDealById(server.deps.db, { id })
    if (!view) throw new Error('no deal')
    const [result] = await server.deps.db
      .select({
        isPending: states.isPending,
        isReserved: states.isReserved,
        isActiveRequest: states.isActiveRequest,
        takesMessages: states.acceptsMessages,
        isOver: states.hasHoldEnded,
        hasCar: hasCar(deals),
      })
      .from(deals)
      .where(eq(deals.id, id))
    const { status, isWithdrawn = false } = row
    const isOver = !isWithdrawn && possibleDealMoves(toDealFacts(view), 'CLOCK').length > 0
    expect([row, result]).toEqual([
      row,
      {
        isPending: isPending(status),
        isReserved: isReserved(status),
        isActiveRequest: isActiveRequest(status),
        takesMessages: acceptsMessages({ status, isWithdrawn }),
        isOver,
        hasCar: isReserved(status) && !isWithdrawn && !isOver,
      },
    ])
    await server.query('delete from deals where id = $1', [id])
  }
})

const requests: Record<string, Row[]> = {
  'nobody, without an active request': [
    { status: 'STARTED' },
    { status: 'REJECTED', requestedAt: '2026-05-01' },
  ],
  'the oldest pending one': [
    { status: 'REJECTED', requestedAt: '2026-05-01' },
    { status: 'PENDING', requestedAt: '2026-05-03' },
    { status: 'PENDING', requestedAt: '2026-05-02' },
    { status: 'STARTED' },
  ],
  'the confirmed one': [
    { status: 'PENDING', requestedAt: '2026-05-01' },
    { status: 'ACCEPTED', requestedAt: '2026-05-03' },
    { status: 'PENDING', requestedAt: '2026-05-02' },
  ],
  'the completed one': [
    { status: 'PENDING', requestedAt: '2026-05-01' },
    { status: 'COMPLETED', requestedAt: '2026-05-02', isPassed: true },
  ],
  'the earlier of two within a microsecond': [
    { status: 'PENDING', requestedAt: '2026-05-01 10:00:00.000001+00' },
    { status: 'PENDING', requestedAt: '2026-05-01 10:00:00+00' },
  ],
}

test.each(Object.entries(requests))('finds the same intended buyer as the rules: %s', async (_, rows) => {
  const listing = await aListing(server)
  for (const [index, row] of rows.entries()) await insertDeal(listing, buyers[index], row)
  const ofCar = eq(deals.carId, listing.car._id)
  const { db } = server.deps
  const oldestFirst = await db
    .select()
    .from(deals)
    .where(ofCar)
    .orderBy(...states.oldestFirst)
  const [first] = await db
    .select()
    .from(deals)
    .where(sql`${ofCar} and ${states.isActiveRequest}`)
    .orderBy(...states.intendedFirst)
    .limit(1)
  expect(first?.id).toBe(findIntendedDeal(oldestFirst)?.id)
  expect(oldestFirst.map(({ requestedAt }) => requestedAt?.toISOString())).toEqual(
    rows.map(({ requestedAt }) => requestedAt && new Date(requestedAt).toISOString()).sort(),
  )
})

test.each([
  ['one_accepted_buyer_per_car', `car_id = repeat('c', 24) and has_car(deals)`],
  ['one_accepted_buyer_per_car', `car_id = repeat('c', 24) and is_taken(status) and withdrawn_at is null`],
  ['deals_held', 'hold_is_over(deals)'],
])('uses the index %s for %s', async (index, condition) => {
  const client = await server.owner.pool.connect()
  try {
    // With so few rows, PostgreSQL would scan the table or use another index.
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows: others } = await client.query<{ name: string }>(
      `select indexrelid::regclass::text as name from pg_index
       where indrelid = 'deals'::regclass and not indisprimary and indexrelid <> $1::regclass
         and not exists (select from pg_constraint where conindid = indexrelid)`,
      [index],
    )
    await client.query(`drop index ${others.map(({ name }) => name).join(', ')}`)
    const { rows } = await client.query(`explain select id from deals where ${condition}`)
    expect(JSON.stringify(rows)).toContain(`using ${index}`)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
