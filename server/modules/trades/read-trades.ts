import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type {
  AvailableTrade,
  listTrades as listTradesCall,
  TaxRate,
  Trade,
  TradeEvent,
  lookUpTaxRate as taxRateCall,
} from '@keyturn/contract/trades/endpoints.ts'
import { addCredit, parseTaxRate, tradeCredit } from '@keyturn/contract/trades/tax.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { createTaxRates } from '../../integrations/sales-tax/tax-rates.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Cursor, decodeCursor } from '../../platform/database/pagination.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { markPeopleShown } from '../accounts/administrator/admin-events.ts'
import { toLoan } from '../cars/mappers.ts'
import { recordContactLooks } from './contact-looks.ts'
import { expireOffers } from './expire-offers.ts'
import { toOwnedTrade, toTrade, toTradeEvent, toTradeFor } from './mappers.ts'
import { tradeMoveActorsOf, visibleOwnerId } from './move-rules.ts'
import * as store from './repository.ts'
import { findTradeHistory } from './trade-events.ts'
import { findTradesPage } from './trades-page-repository.ts'

/**
 * A page of trades in the wholesalers' order; reading contact details is recorded (R-trades-20,
 * R-accounts-52). A standby may read the trades, and the primary records it.
 */
export async function listTrades(
  deps: Deps,
  caller: Caller,
  query: EndpointInput<typeof listTradesCall>['query'],
  db: Db,
): Promise<{ trades: Trade[]; next: Cursor | null }> {
  await expireOffers(db)
  const rows = await findTradesPage(
    db,
    query.status,
    query.limit + 1,
    decodeCursor(query.cursor),
    wholesalerIdOf(caller),
  )
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const trades = page.map((row) => toTradeFor(caller, row))
  await recordContacts(deps, caller, trades)
  return { trades, next: last && rows.length > page.length ? { at: last.at, id: last.trade.id } : null }
}

/** A person's trades, newest first; wholesalers and administrators may read anybody's. */
export async function listTradesOfUser(deps: Deps, caller: Caller, userId: string, db: Db): Promise<Trade[]> {
  const actors = tradeMoveActorsOf(caller, userId)
  if (actors.length === 0) throw apiErrors.NotFound()
  await expireOffers(db)
  const wholesalerId = wholesalerIdOf(caller)
  const rows = await store.findTradesOfUser(db, { ownerId: userId, wholesalerId })
  const isOwner = caller.user?.id === userId
  const trades = rows.map((row) => (isOwner ? toOwnedTrade(row) : toTradeFor(caller, row)))
  await recordContacts(deps, caller, trades)
  return trades
}

/** Null for owners, and for administrators, who see the trades of suspended owners as well. */
const wholesalerIdOf = ({ user, administrator }: Caller): string | null =>
  user?.wholesaler && !administrator ? user.id : null

/** Records that the caller is shown the contact data in these trades. */
export async function recordContacts(
  deps: Pick<Deps, 'db' | 'log'>,
  { user, administrator }: Caller,
  trades: readonly Trade[],
): Promise<void> {
  const withContacts = trades.filter((trade) => trade.buyer?.email)
  if (withContacts.length === 0) return
  markPeopleShown(
    administrator,
    withContacts.map(({ buyerId }) => buyerId),
  )
  const read = withContacts.map((trade) => trade._id)
  const by = user?.wholesaler ? { wholesaler: user.id } : { administrator: administrator?.username }
  deps.log.info({ event: 'contacts read', ...by, trades: read }, 'trades')
  if (user?.wholesaler) await recordContactLooks(deps.db, { viewerId: user.id, tradeIds: read })
}

/**
 * Lists the accepted trades that are in no open deal, apart from the owner's deal on `carVin`. The
 * last accepted one comes first.
 */
export async function listAvailableTrades(
  db: Db,
  ownerId: string,
  carVin: string | null = null,
): Promise<AvailableTrade[]> {
  const rows = await store.findAvailableTrades(db, { ownerId, vin: carVin })
  return rows.map((row) => ({
    _id: row.id,
    vin: row.vin,
    year: row.year,
    make: row.make,
    model: row.model,
    price: cents(row.priceCents ?? 0),
    payoff: row.payoff,
    payoffAmount: toLoan(row).payoffAmount,
  }))
}

/** Encoded, in the given order; includes deleted trades, because agreements refer to them. */
export async function listTradesByIds(db: Db, ids: readonly string[]): Promise<Trade[]> {
  if (ids.length === 0) return []
  const rows = new Map((await store.findTradesByIds(db, { ids: [...ids] })).map((row) => [row.id, row]))
  const found = ids.flatMap((id) => rows.get(id) ?? [])
  // Only accepted trades are in requests, so their price is an offer.
  return found.map((trade) => toTrade({ trade, counteredCents: null }))
}

export async function readTradeHistory(deps: Deps, caller: Caller, id: string): Promise<TradeEvent[]> {
  await expireOffers(deps.db)
  const [found] = await store.findTrade(deps.db, { id, ownerId: visibleOwnerId(caller) })
  if (!found) throw apiErrors.NotFound()
  return (await findTradeHistory(deps.db, { tradeId: id })).map(toTradeEvent)
}

/** Returns rate and credit for a ZIP code; throws `UnknownZip`. */
export async function lookUpTaxRate(
  deps: Deps,
  { zipCode, basePrice }: EndpointInput<typeof taxRateCall>['query'],
): Promise<TaxRate[]> {
  const { state, rate, source, asOf } = await createTaxRates(deps.config).rateOf(zipCode)
  if (state === null) throw tradeErrors.UnknownZip()
  const credit = tradeCredit(basePrice, zipCode, parseTaxRate(rate))
  return [
    {
      zip_code: zipCode,
      state,
      state_rate: rate,
      credit,
      total: addCredit(basePrice, credit),
      source,
      as_of: asOf,
    },
  ]
}
