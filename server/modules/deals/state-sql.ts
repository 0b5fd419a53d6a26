import * as rules from '@keyturn/contract/deals/rules.ts'
import { isOpenTrade as isOpenStatus, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { and, asc, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { signatures } from '../agreements/tables.ts'
import { cars } from '../cars/tables.ts'
import { dealers } from '../dealers/tables.ts'
import { trades } from '../trades/tables.ts'
import { dealEvents, deals } from './tables.ts'

// SQL versions of the rules in contract/deals/rules.ts. They are database functions so that the
// planner can match them to indexes. `state-sql.test.ts` compares both.

export const isNotWithdrawn = isNull(deals.withdrawnAt)
/** The dealer canceled a fully signed deal. Nothing else ends a deal after both have signed. */
export const wasCalledOff = and(isNotNull(deals.passedAt), isNotNull(deals.withdrawnAt))
/** Generated from the rule, because no index needs it. */
export const isPending = sql<boolean>`${deals.status} in (${quoted(rules.dealStatuses.filter(rules.isPending))})`
export const isReserved = sql<boolean>`is_taken(${deals.status})`
export const isActiveRequest = sql<boolean>`is_standing(${deals.status})`
/** The parties can write to each other (R-deals-83). */
export const acceptsMessages = sql<boolean>`takes_messages(${deals})`
/** The account of a party is suspended (R-deals-117). */
export const isPaused = sql<boolean>`is_paused(${deals})`
export const hasHoldEnded = sql<boolean>`hold_is_over(${deals})`

/** A party has signed the current terms of the car and the deal (R-deals-33). */
export const hasSigned = (party: 'SELLER' | 'BUYER', dealId: SQLWrapper, dealTermsVersion: SQLWrapper) =>
  sql<boolean>`exists (select 1 from ${signatures} where ${signatures.dealId} = ${dealId} and ${signatures.party} = ${party}
    and ${signatures.carTermsVersion} = ${cars.termsVersion} and ${signatures.dealTermsVersion} = ${dealTermsVersion})`

export type StoredDealerEvent = { at: string; facts: unknown }
/** The steps that the dealer reported about a passed deal, oldest first, for `readDealerSteps`. */
export const dealerEventsSql = (dealId: SQLWrapper, passedAt: SQLWrapper) =>
  sql<StoredDealerEvent[]>`case when ${passedAt} is null then '[]'::json else
    (select coalesce(json_agg(json_build_object('at', ${dealEvents.at}, 'facts', ${dealEvents.facts}) order by ${dealEvents.id}), '[]')
    from ${dealEvents} where ${dealEvents.dealId} = ${dealId} and (${dealEvents.actor} = 'DEALER' or ${dealEvents.event} = 'completed')) end`

/** The dealer that received the deal, otherwise the nearest one now (R-deals-73). */
const dealerOf = (passedTo: SQLWrapper, column: SQL) =>
  // A scalar subquery, so that it is evaluated once and not for every dealer.
  sql`(select ${column} from ${dealers} where ${dealers.id} = (select coalesce(${passedTo}, dealer_for(${cars.zipCode}))))`
/** Null for the default dealer, whose name comes from the settings. */
export const dealerNameSql = (passedTo: SQLWrapper) =>
  sql<string | null>`${dealerOf(passedTo, sql`${dealers.name}`)}`
export type DealerFacts = {
  id: string
  name: string | null
  phone: string | null
  hours: string | null
  isDefault: boolean
}
export const dealerFactsSql = (passedTo: SQLWrapper) =>
  sql<DealerFacts>`${dealerOf(
    passedTo,
    sql`json_build_object('id', ${dealers.id}, 'name', ${dealers.name}, 'phone', ${dealers.phone}, 'hours', ${dealers.hours},
      'isDefault', ${dealers.isDefault})`,
  )}`

export const isOpenTrade = sql<boolean>`${trades.status} in (${quoted(tradeStatuses.filter(isOpenStatus))})`

export const oldestFirst = [asc(deals.requestedAt), asc(deals.id)]
/** Sorts the intended buyer's deal first among the active deals on a car. */
export const intendedFirst = [sql`${isReserved} desc`, ...oldestFirst]

function quoted(statuses: readonly string[]): SQL {
  return sql.join(
    statuses.map((status) => sql.raw(`'${status}'`)),
    sql`, `,
  )
}
