import type { DeliveryState } from '@keyturn/contract/deals/rules.ts'
import type { TradeTerms } from '@keyturn/contract/deals/terms.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { now, pickColumns } from '../../platform/database/columns.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery, type RowOf } from '../../platform/database/prepare-query.ts'
import { users } from '../accounts/tables.ts'
import { signatures } from '../agreements/tables.ts'
import { cars } from '../cars/tables.ts'
import { deliveries, deliveryTries } from '../dealers/tables.ts'
import { trades } from '../trades/tables.ts'
import { newMessageCountSql } from './dashboards/unseen-messages.ts'
import {
  dealerEventsSql,
  dealerFactsSql,
  dealerNameSql,
  hasSigned,
  intendedFirst,
  isActiveRequest,
  isNotWithdrawn,
  isOpenTrade,
  isPaused,
  oldestFirst,
  wasCalledOff,
} from './state-sql.ts'
import { dealEvents, deals, dealTrades, hasCar, openProposal } from './tables.ts'

const seller = alias(users, 'seller')
const buyer = alias(users, 'buyer')
const sellerSignature = alias(signatures, 'seller_signature')
const buyerSignature = alias(signatures, 'buyer_signature')

const contact = ['id', 'firstName', 'lastName', 'email', 'phoneNumber'] as const
const signed = ['name', 'signature', 'drawing', 'signedAt', 'terms', 'sheetHash', 'hash'] as const
const isCurrentSignature = (
  table: typeof sellerSignature | typeof buyerSignature,
  party: 'SELLER' | 'BUYER',
) =>
  and(
    eq(table.dealId, deals.id),
    eq(table.party, party),
    eq(table.carTermsVersion, cars.termsVersion),
    eq(table.dealTermsVersion, deals.termsVersion),
  )

const others = alias(deals, 'others')
const isReservedForAnother = sql<boolean>`exists (select 1 from ${deals} as ${others} where ${others.carId} = ${cars.id}
  and ${others.id} <> ${deals.id} and ${hasCar(others)})`

/**
 * The delivery state. A deal the dealer has accepted stays delivered when it is sent again
 * (R-deals-81).
 */
const deliveryOf = sql<DeliveryState | null>`case when ${deals.passedAt} is null then null else
  (select case
    when bool_or(exists (select 1 from ${deliveryTries} one where one.delivery_id = ${deliveries.id} and one.because is null)) then 'DELIVERED'
    when bool_or(${deliveries.state} = 'WAITING') then 'WAITING'
    else 'PARKED' end
  from ${deliveries} where ${deliveries.dealId} = ${deals.id} and ${deliveries.kind} = 'deal.passed') end`

const dealViewQuery = (db: Db, where: SQL | undefined) =>
  db
    .select({
      deal: deals,
      car: cars,
      seller: pickColumns(seller, ...contact),
      buyer: pickColumns(buyer, ...contact),
      dealer: dealerFactsSql(deals.dealerId),
      sellerSignature: pickColumns(sellerSignature, ...signed),
      buyerSignature: pickColumns(buyerSignature, ...signed),
      taken: isReservedForAnother,
      proposal: openProposal,
      isPaused,
      requestTradeVins: sql<
        string[]
      >`array(select ${trades.vin} from ${dealTrades} join ${trades} on ${trades.id} = ${dealTrades.tradeId}
        where ${dealTrades.dealId} = ${deals.id} order by ${trades.createdAt})`,
      owedTradeVins: sql<
        string[]
      >`array(select ${trades.vin} from ${dealTrades} join ${trades} on ${trades.id} = ${dealTrades.tradeId}
        where ${dealTrades.dealId} = ${deals.id} and ${trades.payoff} order by ${trades.createdAt})`,
      requestTrades: sql<
        TradeTerms[]
      >`(select coalesce(json_agg(json_build_object('vin', ${trades.vin}, 'year', ${trades.year},
          'make', ${trades.make}, 'model', ${trades.model}, 'value', ${trades.priceCents}, 'owes', ${trades.payoff},
          'payoffAmount', case when ${trades.payoff} then ${trades.payoffAmount} end, 'lender', case when ${trades.payoff} then ${trades.lender} else '' end) order by ${trades.createdAt}), '[]')
        from ${dealTrades} join ${trades} on ${trades.id} = ${dealTrades.tradeId} where ${dealTrades.dealId} = ${deals.id})`,
      dealerEvents: dealerEventsSql(deals.id, deals.passedAt),
      delivery: deliveryOf,
      openTrades: sql<number>`(select count(*)::int from ${trades} where ${trades.ownerId} = ${deals.buyerId}
        and ${trades.deletedAt} is null and ${trades.vin} <> ${cars.vin} and ${isOpenTrade})`,
      hasFreeTrade: sql<boolean>`exists (select 1 from ${trades} where ${trades.ownerId} = ${deals.buyerId}
        and ${trades.deletedAt} is null and ${trades.status} = 'ACCEPTED' and ${trades.vin} <> ${cars.vin}
        and not exists (select 1 from ${dealTrades} where ${dealTrades.tradeId} = ${trades.id} and ${dealTrades.dealId} <> ${deals.id}))`,
      now,
    })
    .from(deals)
    .innerJoin(cars, eq(cars.id, deals.carId))
    .innerJoin(seller, eq(seller.id, deals.sellerId))
    .innerJoin(buyer, eq(buyer.id, deals.buyerId))
    .leftJoin(sellerSignature, isCurrentSignature(sellerSignature, 'SELLER'))
    .leftJoin(buyerSignature, isCurrentSignature(buyerSignature, 'BUYER'))
    .where(where)
export type DealView = Awaited<ReturnType<typeof dealViewQuery>>[number]

const newestFirst = [sql`${cars.completedAt} desc nulls first`, desc(cars.createdAt)]
type Listing = { sellerId: string; vin: string }
/** The seller's deals on a VIN that are not withdrawn; a deleted listing has none. */
const ofListing = (p: Placeholders<Listing>) =>
  and(eq(deals.sellerId, p.sellerId), eq(cars.vin, p.vin), isNotWithdrawn)

export const findDealOfBuyer = prepareQuery(
  'find-deal-of-buyer',
  (db, p: Placeholders<{ sellerId: string; vin: string; buyerId: string }>) =>
    dealViewQuery(db, and(ofListing(p), eq(deals.buyerId, p.buyerId)))
      .orderBy(...newestFirst)
      .limit(1),
)

/** True for a deal canceled by the dealer, until its buyer starts a new one. */
const isLastCalledOff = and(
  wasCalledOff,
  sql`not exists (select 1 from ${deals} anew where anew.car_id = ${deals.carId} and anew.buyer_id = ${deals.buyerId}
    and (anew.withdrawn_at is null or anew.withdrawn_at > ${deals.withdrawnAt}))`,
)
const endedRecently = sql`${deals.withdrawnAt} > ${now} - interval '30 days'`
/**
 * Finds a deal canceled by the dealer, or a request lost to another buyer; the latter only until
 * the seller lists the car again.
 */
export const findLostDeal = prepareQuery(
  'find-lost-deal',
  (db, p: Placeholders<{ sellerId: string; vin: string; buyerId: string }>) =>
    dealViewQuery(
      db,
      and(
        eq(deals.buyerId, p.buyerId),
        eq(deals.sellerId, p.sellerId),
        eq(cars.vin, p.vin),
        or(
          wasCalledOff,
          and(
            deals.soldElsewhere,
            sql`not exists (select 1 from ${cars} as anew where anew.seller_id = ${p.sellerId} and anew.vin = ${p.vin}
              and anew.deleted_at is null and anew.completed_at is null)`,
          ),
        ),
      ),
    )
      .orderBy(desc(deals.withdrawnAt))
      .limit(1),
)

/** Finds the last deal with this buyer that the dealer canceled, for the seller. */
export const findCalledOffDeal = prepareQuery(
  'find-called-off-deal',
  (db, p: Placeholders<{ sellerId: string; vin: string; buyerId: string }>) =>
    dealViewQuery(
      db,
      and(eq(deals.sellerId, p.sellerId), eq(deals.buyerId, p.buyerId), eq(cars.vin, p.vin), wasCalledOff),
    )
      .orderBy(desc(deals.withdrawnAt))
      .limit(1),
)

export const findIntendedDeal = prepareQuery(
  'find-intended-deal',
  (db, p: Placeholders<{ sellerId: string; vin: string }>) =>
    dealViewQuery(db, and(ofListing(p), isActiveRequest))
      .orderBy(...newestFirst, ...intendedFirst)
      .limit(1),
)

export const findDealById = prepareQuery('find-deal-by-id', (db, p: Placeholders<{ id: string }>) =>
  dealViewQuery(db, eq(deals.id, p.id)),
)

export const findDealsOnCar = prepareQuery('find-deals-on-car', (db, p: Placeholders<{ carId: string }>) =>
  dealViewQuery(db, and(eq(deals.carId, p.carId), isNotWithdrawn)).orderBy(...oldestFirst),
)

/** Every request on a car, oldest first, without deals that have no request yet. */
export const findRequests = prepareQuery('find-requests', (db, p: Placeholders<{ carId: string }>) =>
  dealViewQuery(db, and(eq(deals.carId, p.carId), isNotWithdrawn, sql`${deals.status} <> 'STARTED'`)).orderBy(
    ...oldestFirst,
  ),
)

/**
 * Finds deals on a car that their buyers have ever signed, even if the signature no longer counts.
 */
export const findDealsSignedByBuyer = prepareQuery(
  'find-deals-signed-by-buyer',
  (db, p: Placeholders<{ carId: string }>) =>
    db
      .selectDistinct({ dealId: signatures.dealId })
      .from(signatures)
      .innerJoin(deals, eq(deals.id, signatures.dealId))
      .where(and(eq(deals.carId, p.carId), eq(signatures.party, 'BUYER'))),
)

/** A buyer's deals, newest first, with the data of each car's row. Includes recently lost deals. */
export const findDealsOfBuyer = prepareQuery(
  'find-deals-of-buyer',
  (db, p: Placeholders<{ buyerId: string }>) =>
    db
      .select({
        deal: deals,
        car: cars,
        taken: isReservedForAnother,
        proposal: openProposal,
        isPaused,
        dealerName: dealerNameSql(deals.dealerId),
        dealerEvents: dealerEventsSql(deals.id, deals.passedAt),
        newMessages: newMessageCountSql(deals.id, p.buyerId),
        signed: {
          seller: hasSigned('SELLER', deals.id, deals.termsVersion),
          buyer: hasSigned('BUYER', deals.id, deals.termsVersion),
        },
      })
      .from(deals)
      .innerJoin(cars, eq(cars.id, deals.carId))
      .where(
        or(
          and(eq(deals.buyerId, p.buyerId), isNotWithdrawn),
          and(eq(deals.buyerId, p.buyerId), deals.soldElsewhere, endedRecently),
          and(eq(deals.buyerId, p.buyerId), isLastCalledOff, endedRecently),
        ),
      )
      .orderBy(desc(deals.createdAt)),
)
export type BuyerDeal = RowOf<typeof findDealsOfBuyer>

export const findTimeline = prepareQuery('find-timeline', (db, p: Placeholders<{ dealId: string }>) =>
  db
    .select({
      at: dealEvents.at,
      actor: dealEvents.actor,
      event: dealEvents.event,
      facts: dealEvents.facts,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(dealEvents)
    .leftJoin(users, eq(users.id, dealEvents.actorId))
    .where(eq(dealEvents.dealId, p.dealId))
    .orderBy(desc(dealEvents.id)),
)
export type TimelineRow = RowOf<typeof findTimeline>

/** Finds a deal whose parties are these two people. */
export const findSharedDeal = prepareQuery(
  'find-shared-deal',
  (db, p: Placeholders<{ one: string; other: string }>) =>
    db
      .select({ id: deals.id })
      .from(deals)
      .where(
        or(
          and(
            eq(deals.sellerId, p.one),
            eq(deals.buyerId, p.other),
            isNotWithdrawn,
            isNotNull(deals.requestedAt),
          ),
          and(eq(deals.sellerId, p.other), eq(deals.buyerId, p.one), isNotWithdrawn),
        ),
      )
      .limit(1),
)
export async function readDealView(db: Db, dealId: string): Promise<DealView> {
  const [view] = await findDealById(db, { id: dealId })
  if (!view) throw apiErrors.NotFound()
  return view
}
/** Finds an attempted delivery that was parked; the administrator was notified of it. */
export const findFailedDelivery = prepareQuery(
  'find-failed-delivery',
  (db, p: Placeholders<{ dealId: string }>) =>
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(
        and(
          eq(deliveries.dealId, p.dealId),
          sql`${deliveries.kind} = 'deal.passed'`,
          sql`${deliveries.state} = 'PARKED' and ${deliveries.tries} > 0`,
        ),
      )
      .limit(1),
)
