import type { TradeFilter, TradeStatus } from '@keyturn/contract/trades/rules.ts'
import { and, desc, eq, isNull, type Placeholder, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/open-database.ts'
import { type Cursor, cursorTime } from '../../platform/database/pagination.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { users } from '../accounts/tables.ts'
import { derivedFacts, isListedFor, ownerColumns } from './repository.ts'
import { trades } from './tables.ts'

/** The largest page, and one more row that shows whether there is another page. */
const maxRows = 201

/** `wholesalerId`: of the wholesaler who lists; null for an administrator. */
type PageStart = { at: string; id: string; limit: number; wholesalerId: string | null }
type PageStartOfStatus = PageStart & { status: TradeStatus }

/**
 * A page of all trades after a position: first those waiting longest for an offer, then the newest
 * (R-trades-21). The inner limit is a literal, so that the planner picks a plan that reads at most a
 * page of the index, however many trades there are.
 */
function pageQuery(
  db: Db,
  { at, id, limit, wholesalerId }: PageStart | Placeholders<PageStart>,
  status?: TradeStatus | Placeholder,
) {
  const page = db
    .select()
    .from(trades)
    .where(
      and(
        isNull(trades.deletedAt),
        status === undefined ? undefined : eq(trades.status, status),
        isListedFor(trades, wholesalerId),
        sql`(${trades.listPlace}, ${trades.id}) < (${at}::timestamptz, ${id}::char(24))`,
      ),
    )
    .orderBy(desc(trades.listPlace), desc(trades.id))
    .limit(maxRows)
    .as('page')
  return db
    .select({
      trade: page._.selectedFields,
      buyer: ownerColumns,
      ...derivedFacts(page),
      at: cursorTime(page.listPlace),
    })
    .from(page)
    .innerJoin(users, eq(users.id, page.ownerId))
    .orderBy(desc(page.listPlace), desc(page.id))
    .limit(limit)
}

const findAll = prepareQuery('find-trades-page', (db, p: Placeholders<PageStart>) => pageQuery(db, p))
const findByStatus = prepareQuery('find-trades-page-by-status', (db, p: Placeholders<PageStartOfStatus>) =>
  pageQuery(db, p, p.status),
)

const statusOf = (filter: TradeFilter) => (filter === 'ALL' ? undefined : filter)

const beginning: Cursor = { at: 'infinity', id: '' }

export function findTradesPage(
  db: Db,
  status: TradeFilter,
  limit: number,
  after: Cursor | null,
  wholesalerId: string | null = null,
): Promise<RowOf<typeof findAll>[]> {
  const from = { ...(after ?? beginning), limit, wholesalerId }
  return status === 'ALL' ? findAll(db, from) : findByStatus(db, { ...from, status })
}

/** Returns PostgreSQL's plan for a page, for the test of its constant cost. */
export async function explainTradesPage(
  db: Db,
  status: TradeFilter,
  limit: number,
  after: Cursor | null = null,
  wholesalerId: string | null = null,
): Promise<string[]> {
  const query = pageQuery(db, { ...(after ?? beginning), limit, wholesalerId }, statusOf(status))
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, buffers, costs off, timing off) ${query.getSQL()}`,
  )
  return rows.map((row) => row['QUERY PLAN'])
}
