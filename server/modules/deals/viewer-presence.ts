import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { reportViewing } from '@keyturn/contract/deals/presence/endpoints.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Deps } from '../../deps.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { UserActor } from '../../platform/http/authorization.ts'
import { users } from '../accounts/tables.ts'
import { cars } from '../cars/tables.ts'
import { isActiveRequest, isNotWithdrawn, oldestFirst } from './state-sql.ts'
import { deals } from './tables.ts'

/** The viewers known to this process (`notifications/events/presence-tracker.ts`). Passed in by `app.ts`. */
export type ViewerRegistry = { ready(): Promise<void>; isLooking(deal: string, person: string): boolean }

type Wish = EndpointInput<typeof reportViewing>

/**
 * Publishes to all processes that the caller views their deals on this car. Returns the other
 * viewers they may see.
 */
export async function publishViewing(
  deps: Deps,
  viewers: ViewerRegistry,
  actor: UserActor,
  { params, body }: Pick<Wish, 'params' | 'body'>,
): Promise<{ names: string[] }> {
  await viewers.ready()
  const { id: actorId, sessionId } = actor
  const wish = { ...body, actorId, sessionId, sellerId: params.userId, vin: params.vin }
  const found = await notifyViewing(deps.db, wish)
  if (found.length === 0) throw apiErrors.NotFound()
  const isVisibleViewer = ({ isOpen, dealId, otherId }: (typeof found)[number]) =>
    isOpen && dealId && otherId && viewers.isLooking(dealId, otherId)
  return { names: found.filter(isVisibleViewer).flatMap(({ other }) => (other ? [fullName(other)] : [])) }
}

type Viewing = {
  sellerId: string
  vin: string
  actorId: string
  sessionId: string
  tab: string
  isLooking: boolean
}

const [me, other] = [alias(users, 'me'), alias(users, 'other')]

/**
 * Returns one row for each of the caller's deals on this car, one row without a deal for its
 * seller, and none for any other caller. The same statement publishes the event, only for active
 * requests in which neither party hides their presence.
 */
const notifyViewing = prepareQuery('notify-viewing', (db, p: Placeholders<Viewing>) => {
  const isOpen = sql<boolean>`coalesce(${isActiveRequest} and not ${me.hidesPresence} and not ${other.hidesPresence}, false)`
  return db
    .select({
      dealId: deals.id,
      otherId: other.id,
      other: { firstName: other.firstName, lastName: other.lastName },
      isOpen,
      said: sql`case when ${isOpen} then pg_notify('keyturn', ${viewingSignal(p)}) end`,
    })
    .from(cars)
    .innerJoin(me, eq(me.id, p.actorId))
    .leftJoin(
      deals,
      and(
        eq(deals.carId, cars.id),
        isNotWithdrawn,
        eq(deals.soldElsewhere, false),
        or(eq(deals.buyerId, p.actorId), eq(cars.sellerId, p.actorId)),
      ),
    )
    .leftJoin(
      other,
      and(
        eq(
          other.id,
          sql`case when ${cars.sellerId} = ${p.actorId} then ${deals.buyerId} else ${cars.sellerId} end`,
        ),
        isNull(other.deletedAt),
      ),
    )
    .where(
      and(
        eq(cars.sellerId, p.sellerId),
        eq(cars.vin, p.vin),
        isNull(cars.deletedAt),
        or(eq(cars.sellerId, p.actorId), sql`${deals.id} is not null`),
      ),
    )
    .orderBy(...oldestFirst)
})

/** Has the shape that `notifications/events/signal.ts` parses. */
const viewingSignal = (p: Placeholders<Viewing>): SQL =>
  sql`json_build_object('look', json_build_object('deal', ${deals.id}, 'by', ${me.id}, 'to', ${other.id},
    'tab', ${p.tab}::text, 'session', ${p.sessionId}::text, 'isLooking', ${p.isLooking}::boolean))::text`
