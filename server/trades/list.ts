import type { TradeFilter, TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { and, desc, eq, type getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from '../accounts/tables.ts'
import { type Db, prepared } from '../db/open.ts'
import { type Cursor, placeAt } from '../db/page.ts'
import { type BuyerRow, buyer } from './store.ts'
import { type TradeRow, trades } from './tables.ts'

/** The most that a page may ask for, and one more that tells whether there is another. */
const longestPage = 201

const p = sql.placeholder
type Place = { at: string; id: string; limit: number }
type Part = { status?: unknown; at: unknown; id: unknown; limit: unknown }

/**
 * A page of all trades, newest first, from a place on. The index is read from that place; the inner limit is a
 * number that the planner can see, so that it reads no more than a page however many trades there are.
 */
function pageQuery(db: Db, { status, at, id, limit }: Part) {
  const page = db
    .select()
    .from(trades)
    .where(
      and(
        isNull(trades.deletedAt),
        status === undefined ? undefined : eq(trades.status, status as SQL),
        sql`(${trades.createdAt}, ${trades.id}) < (${at}::timestamptz, ${id}::char(24))`,
      ),
    )
    .orderBy(desc(trades.createdAt), desc(trades.id))
    .limit(longestPage)
    .as('page')
  return db
    .select({
      trade: page._.selectedFields as unknown as ReturnType<typeof getTableColumns<typeof trades>>,
      buyer,
      at: placeAt(page.createdAt),
    })
    .from(page)
    .innerJoin(users, eq(users.id, page.ownerId))
    .orderBy(desc(page.createdAt), desc(page.id))
    .limit(sql`${limit}` as never)
}

export type ListedTrade = {
  trade: TradeRow
  buyer: BuyerRow
  /** When it was made, to the microsecond: a place in the list. */
  at: string
}

const place = { at: p('at'), id: p('id'), limit: p('limit') }
const findAll = prepared<Place, ListedTrade[]>('trades-page', (db) => pageQuery(db, place))
const findByStatus = prepared<Place & { status: TradeStatus }, ListedTrade[]>('trades-page-by-status', (db) =>
  pageQuery(db, { ...place, status: p('status') }),
)

const newest: Cursor = { at: 'infinity', id: '' }

export function findPage(
  db: Db,
  status: TradeFilter,
  limit: number,
  after: Cursor | null,
): Promise<ListedTrade[]> {
  const from = { ...(after ?? newest), limit }
  return status === 'ALL' ? findAll(db, from) : findByStatus(db, { ...from, status })
}

/** How PostgreSQL goes about a page: for the benchmark and for the test that holds its cost constant. */
export async function explainPage(
  db: Db,
  status: TradeFilter,
  limit: number,
  after: Cursor | null = null,
): Promise<string[]> {
  const query = pageQuery(db, { ...(after ?? newest), limit, ...(status === 'ALL' ? {} : { status }) })
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, buffers, costs off, timing off) ${query.getSQL()}`,
  )
  return rows.map((row) => row['QUERY PLAN'])
}

/** The plan that the prepared query settles on once PostgreSQL no longer looks at the values. */
export async function explainPrepared(db: Db, status: TradeFilter): Promise<string[]> {
  const { sql: text } = pageQuery(db, status === 'ALL' ? place : { ...place, status: p('status') }).toSQL()
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
    sql.raw(`explain (generic_plan, costs off) ${text}`),
  )
  return rows.map((row) => row['QUERY PLAN'])
}
