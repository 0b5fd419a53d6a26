import { maxPeopleFound } from '@keyturn/contract/accounts/suspensions.ts'
import { and, asc, desc, eq, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { pickColumns } from '../../../platform/database/columns.ts'
import {
  type Placeholders,
  prepareQuery,
  prepareStatement,
  type RowOf,
} from '../../../platform/database/prepare-query.ts'
import { authenticatedAt, isActive } from '../../accounts/sessions/session-repository.ts'
import { userSessionTables, users } from '../../accounts/tables.ts'
import { cars } from '../../cars/tables.ts'
import { trades } from '../../trades/tables.ts'
import { isActiveRequest, isNotWithdrawn } from '../state-sql.ts'
import { deals } from '../tables.ts'

const { sessions } = userSessionTables
/** A row of the person's page; more would not help to decide. */
const maxRows = 100

/** Ranges instead of LIKE, so that the planner can use the indexes for any parameter. */
const startsWith = (name: string, search: unknown) =>
  sql
    .raw(`(${name} collate "C")`)
    .append(sql` >= lower(${search}) and `)
    .append(sql.raw(`(${name} collate "C")`).append(sql` < lower(${search}) || U&'\\+10FFFF'`))

/** Finds people by id, complete address, or the start of their last or full name. */
export const findPeople = prepareQuery('find-people', (db, p: Placeholders<{ search: string }>) => {
  const search = sql`${p.search}::text`
  return db
    .select()
    .from(users)
    .where(
      sql`${users.id} = any (array(
        select id from users where id = left(lower(${search}), 24)::char(24)
        union select id from users where email = lower(${search})
        union (select id from users where deleted_at is null and ${startsWith("lower(first_name || ' ' || last_name)", search)} limit ${sql.raw(`${maxPeopleFound}`)})
        union (select id from users where deleted_at is null and ${startsWith('lower(last_name)', search)} limit ${sql.raw(`${maxPeopleFound}`)})))`,
    )
    .orderBy(asc(users.lastName), asc(users.firstName), asc(users.id))
    .limit(maxPeopleFound)
})

export const findAnyone = prepareQuery('find-anyone', (db, p: Placeholders<{ id: string }>) =>
  db.select().from(users).where(eq(users.id, p.id)),
)

export const findOpenSessions = prepareQuery(
  'find-open-sessions',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({ ...pickColumns(sessions, 'id', 'userAgent'), signedInAt: authenticatedAt })
      .from(sessions)
      .where(and(eq(sessions.owner, p.userId), isActive))
      .orderBy(desc(sessions.signedInAt))
      .limit(maxRows),
)

export const findListingsOfPerson = prepareQuery(
  'find-listings-of-person',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select(pickColumns(cars, 'id', 'vin', 'year', 'make', 'model', 'trim', 'completedAt'))
      .from(cars)
      .where(and(eq(cars.sellerId, p.userId), isNull(cars.deletedAt)))
      .orderBy(desc(cars.createdAt), desc(cars.id))
      .limit(maxRows),
)

const other = alias(users, 'other')
/** The deals that a suspension pauses: requests, confirmed ones, and signed ones until the end. */
const isOpenDealOf = (p: Placeholders<{ userId: string }>) =>
  and(
    or(eq(deals.sellerId, p.userId), eq(deals.buyerId, p.userId)),
    isNotWithdrawn,
    isActiveRequest,
    isNull(deals.completedAt),
  )

export const findOpenDealsOfPerson = prepareQuery(
  'find-open-deals-of-person',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({
        id: deals.id,
        sellerId: deals.sellerId,
        passedAt: deals.passedAt,
        car: pickColumns(cars, 'year', 'make', 'model', 'trim'),
        other: pickColumns(other, 'id', 'firstName', 'lastName'),
      })
      .from(deals)
      .innerJoin(cars, eq(cars.id, deals.carId))
      .innerJoin(
        other,
        eq(
          other.id,
          sql`case when ${deals.sellerId} = ${p.userId} then ${deals.buyerId} else ${deals.sellerId} end`,
        ),
      )
      .where(isOpenDealOf(p))
      .orderBy(desc(deals.createdAt), desc(deals.id))
      .limit(maxRows),
)
export type OpenDeal = RowOf<typeof findOpenDealsOfPerson>

/** The same deals without a limit, for notifications. */
export const findOpenDealIds = prepareQuery('find-open-deal-ids', (db, p: Placeholders<{ userId: string }>) =>
  db.select({ id: deals.id }).from(deals).where(isOpenDealOf(p)).orderBy(asc(deals.id)),
)

/** Finds the sellers and buyers whose open pages show these cars. */
export const findPeopleOfCars = prepareStatement<{ carIds: string[] }, { id: string }>(
  'find-people-of-cars',
  (p) => sql`select seller_id as id from cars where id = any(${p.carIds}::bpchar[])
    union select buyer_id from deals where car_id = any(${p.carIds}::bpchar[]) and withdrawn_at is null`,
)

/** Locks the trades that a person owns or has an offer on, so that a move under way ends first. */
export const lockTradesOfPerson = prepareQuery(
  'lock-trades-of-person',
  (db, p: Placeholders<{ userId: string }>) =>
    db
      .select({ id: trades.id, ownerId: trades.ownerId, offeredBy: trades.offeredBy })
      .from(trades)
      .where(
        sql`${trades.id} in (select id from trades where owner_id = ${p.userId} and deleted_at is null
          union select id from trades where offered_by = ${p.userId} and status = 'OFFERED' and deleted_at is null)`,
      )
      .orderBy(asc(trades.id))
      .for('update'),
)
