import * as rules from '@keyturn/contract/deals/rules.ts'
import { isOpen, tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { and, asc, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { signatures } from '../agreements/tables.ts'
import { cars } from '../cars/tables.ts'
import { dealers } from '../dealers/tables.ts'
import { trades } from '../trades/tables.ts'
import { deals } from './tables.ts'

// What contract/deals/rules.ts says of a deal's states, for queries: the functions are the database's own, so that
// its planner puts their words where an index looks for them. `states.test.ts` holds both against each other.

export const notWithdrawn = isNull(deals.withdrawnAt)
/** The dealer has called off what both had signed; nothing else ends a deal after that. */
export const wasCalledOff = and(isNotNull(deals.passedAt), isNotNull(deals.withdrawnAt))
/** Made from the rule: no index has to know these words. */
export const isPending = sql<boolean>`${deals.status} in (${words(rules.dealStatuses.filter(rules.isPending))})`
export const isReserved = sql<boolean>`is_taken(${deals.status})`
export const isActiveRequest = sql<boolean>`is_standing(${deals.status})`
/** The two of it can write to each other (R-deals-83). */
export const takesMessages = sql<boolean>`takes_messages(${deals})`
export const holdIsOver = sql<boolean>`hold_is_over(${deals})`

/** A side has signed the terms of car and deal as they stand (R-deals-33). */
export const hasSigned = (party: 'SELLER' | 'BUYER', dealId: SQLWrapper, dealTermsVersion: SQLWrapper) =>
  sql<boolean>`exists (select 1 from ${signatures} where ${signatures.dealId} = ${dealId} and ${signatures.party} = ${party}
    and ${signatures.carTermsVersion} = ${cars.termsVersion} and ${signatures.dealTermsVersion} = ${dealTermsVersion})`

/** Whom a deal on this car was passed to, else who is nearest now (R-deals-73). */
const dealerOf = (passedTo: SQLWrapper, wanted: SQL) =>
  // In a query of its own, so that it is decided once and not for every dealer that there is.
  sql`(select ${wanted} from ${dealers} where ${dealers.id} = (select coalesce(${passedTo}, dealer_for(${cars.zipCode}))))`
/** Null: the default dealer, whose name is a setting. */
export const dealerNameOf = (passedTo: SQLWrapper) =>
  sql<string | null>`${dealerOf(passedTo, sql`${dealers.name}`)}`
export type DealerFacts = {
  id: string
  name: string | null
  phone: string | null
  hours: string | null
  isDefault: boolean
}
export const dealerFactsOf = (passedTo: SQLWrapper) =>
  sql<DealerFacts>`${dealerOf(
    passedTo,
    sql`json_build_object('id', ${dealers.id}, 'name', ${dealers.name}, 'phone', ${dealers.phone}, 'hours', ${dealers.hours},
      'isDefault', ${dealers.isDefault})`,
  )}`

export const isOpenTrade = sql<boolean>`${trades.status} in (${words(tradeStatuses.filter(isOpen))})`

export const oldestFirst = [asc(deals.requestedAt), asc(deals.id)]
/** Of the deals on a car that stand, the intended buyer's comes first. */
export const intendedFirst = [sql`${isReserved} desc`, ...oldestFirst]

function words(statuses: readonly string[]): SQL {
  return sql.join(
    statuses.map((status) => sql.raw(`'${status}'`)),
    sql`, `,
  )
}
