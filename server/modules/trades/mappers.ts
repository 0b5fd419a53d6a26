import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { bodyTypeOf } from '@keyturn/contract/cars/rules.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { type Trade, type TradeEvent, trade } from '@keyturn/contract/trades/endpoints.ts'
import { isActiveTrade, isContactVisible } from '@keyturn/contract/trades/rules.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import type { TradeWithBuyer } from './repository.ts'
import type { TradeRow } from './tables.ts'
import type { HistoryRow } from './trade-events.ts'

const inCents = (value: number | null) => (value === null ? null : cents(value))

export const toTrade = (row: TradeRow): Trade => ({
  _id: row.id,
  vin: row.vin,
  make: row.make,
  carModel: row.model,
  year: row.year,
  trim: row.trim,
  mileage: row.mileage,
  color: row.color,
  bodyType: bodyTypeOf(row.bodyClass),
  photos: row.photos,
  zipCode: row.zipCode,
  payoff: row.payoff,
  message: row.message,
  buyerId: row.ownerId,
  status: row.status,
  price: inCents(row.priceCents),
  salesTax: inCents(row.taxCreditCents),
  taxRate: row.taxRate,
  active: isActiveTrade(row.status) && row.deletedAt === null,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  movedAt: row.movedAt.toISOString(),
  offerExpiresAt: row.offerExpiresAt?.toISOString() ?? null,
  expiredOffer: row.expiredAt && {
    price: cents(row.expiredPriceCents ?? 0),
    at: row.expiredAt.toISOString(),
  },
})

/**
 * Adds the owner for wholesalers and administrators; a wholesaler sees the contact details only
 * while they are needed (R-trades-20).
 */
export function toTradeFor(caller: Caller, { trade: row, buyer }: TradeWithBuyer): Trade {
  const { user, administrator } = caller
  const isWholesaler = user?.wholesaler === true
  if (!administrator && !isWholesaler) return toTrade(row)
  const visible = administrator !== null || (isWholesaler && isContactVisible(row, user.id))
  return {
    ...toTrade(row),
    buyer: {
      firstName: buyer.firstName,
      lastName: buyer.lastName,
      email: visible ? buyer.email : null,
      phoneNumber: visible ? buyer.phoneNumber : null,
    },
  }
}

/** Encodes a trade for errors that show its current state. */
export const encodeTrade = (now: Trade): unknown => trade.encode(now)

export const toTradeEvent = (row: HistoryRow): TradeEvent => ({
  at: row.at.toISOString(),
  actor: row.actor,
  ...(row.firstName && row.lastName
    ? { name: fullName({ firstName: row.firstName, lastName: row.lastName }) }
    : {}),
  event: row.event,
  status: row.status,
  price: inCents(row.priceCents),
  salesTax: inCents(row.taxCreditCents),
  taxRate: row.taxRate,
  version: row.version,
})
