import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import type {
  AvailableTrade,
  allTrades as allTradesCall,
  lookUpTax as lookUpTaxCall,
  TaxRate,
  Trade,
  TradeEvent,
} from '@keyturn/contract/trades/endpoints.ts'
import { readRate, totalWith, tradeCredit } from '@keyturn/contract/trades/tax.ts'
import { tradeErrors } from '@keyturn/contract/trades/texts.ts'
import type { Deps } from '../../deps.ts'
import { openTaxRates } from '../../integrations/sales-tax/tax-rates.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Cursor, decodeCursor } from '../../platform/database/page.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { expireOffers } from './expire-offers.ts'
import { tradeEventOf, tradeFor, tradeOf, tradeOfOwner } from './mappers.ts'
import { partiesOf, visibleOwnerId } from './move-rules.ts'
import * as store from './repository.ts'
import { findHistory } from './trade-events.ts'
import { findTradesPage } from './trades-page.ts'

/** A page of trades in the wholesalers' order; reading contact details is logged (R-trades-20). */
export async function allTrades(
  deps: Deps,
  caller: Caller,
  query: EndpointInput<typeof allTradesCall>['query'],
): Promise<{ trades: Trade[]; next: Cursor | null }> {
  await expireOffers(deps.db)
  const rows = await findTradesPage(deps.db, query.status, query.limit + 1, decodeCursor(query.cursor))
  const page = rows.slice(0, query.limit)
  const last = page.at(-1)
  const trades = page.map((row) => tradeFor(caller, row))
  logContacts(deps, caller, trades)
  return { trades, next: last && rows.length > page.length ? { at: last.at, id: last.trade.id } : null }
}

/** A person's trades, newest first; wholesalers and administrators may read anybody's. */
export async function tradesOfUser(deps: Deps, caller: Caller, userId: string): Promise<Trade[]> {
  const parties = partiesOf(caller, userId)
  if (parties.length === 0) throw apiErrors.NotFound()
  await expireOffers(deps.db)
  const rows = await store.findTradesOfUser(deps.db, { ownerId: userId })
  const isOwner = caller.user?.id === userId
  const trades = rows.map((row) => (isOwner ? tradeOfOwner(row) : tradeFor(caller, row)))
  logContacts(deps, caller, trades)
  return trades
}

function logContacts(deps: Deps, { user, administrator }: Caller, trades: readonly Trade[]): void {
  const read = trades.filter((trade) => trade.buyer?.email).map((trade) => trade._id)
  if (read.length === 0) return
  const by = user?.wholesaler ? { wholesaler: user.id } : { administrator: administrator?.username }
  deps.log.info({ event: 'contacts read', ...by, trades: read }, 'trades')
}

/** Accepted trades in no open deal except the owner's on `carVin`, last accepted first. */
export async function availableTrades(
  db: Db,
  ownerId: string,
  carVin: string | null = null,
): Promise<AvailableTrade[]> {
  const rows = await store.findAvailable(db, { ownerId, vin: carVin })
  return rows.map((row) => ({
    _id: row.id,
    vin: row.vin,
    year: row.year,
    make: row.make,
    model: row.model,
    price: cents(row.priceCents ?? 0),
  }))
}

/** Encoded, in the given order; includes deleted trades, because agreements refer to them. */
export async function listTradesByIds(db: Db, ids: readonly string[]): Promise<Trade[]> {
  if (ids.length === 0) return []
  const rows = new Map((await store.findByIds(db, { ids: [...ids] })).map((row) => [row.id, row]))
  const found = ids.flatMap((id) => rows.get(id) ?? [])
  // Only accepted trades are in requests, so their price is an offer.
  return found.map((trade) => tradeOf({ trade, counteredCents: null }))
}

export async function readTradeHistory(deps: Deps, caller: Caller, id: string): Promise<TradeEvent[]> {
  await expireOffers(deps.db)
  const [found] = await store.findTrade(deps.db, { id, ownerId: visibleOwnerId(caller) })
  if (!found) throw apiErrors.NotFound()
  return (await findHistory(deps.db, { tradeId: id })).map(tradeEventOf)
}

/** Returns rate and credit for a zip code; throws `UnknownZip`. */
export async function lookUpTax(
  deps: Deps,
  { zipCode, basePrice }: EndpointInput<typeof lookUpTaxCall>['query'],
): Promise<TaxRate[]> {
  const { state, rate, source, asOf } = await openTaxRates(deps.config).rateOf(zipCode)
  if (state === null) throw tradeErrors.UnknownZip()
  const credit = tradeCredit(basePrice, zipCode, readRate(rate))
  return [
    {
      zip_code: zipCode,
      state,
      state_rate: rate,
      credit,
      total: totalWith(basePrice, credit),
      source,
      as_of: asOf,
    },
  ]
}
