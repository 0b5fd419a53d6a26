import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { bodyTypeOf } from '@keyturn/contract/cars/rules.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { type Trade, type TradeEvent, trade } from '@keyturn/contract/trades/endpoints.ts'
import {
  isActiveTrade,
  isContactVisible,
  isOpenTrade,
  type TradeUse,
  withdrawalEnd,
} from '@keyturn/contract/trades/rules.ts'
import { stateOfZip } from '../../integrations/sales-tax/tax-rates.ts'
import type { Caller } from '../../platform/http/authorization.ts'
import { toLoan } from '../cars/mappers.ts'
import { isWithdrawn } from './move-rules.ts'
import type { OwnedTrade, TradeWithBuyer } from './repository.ts'
import type { TradeRow } from './tables.ts'
import type { HistoryRow } from './trade-events.ts'

/** `counteredCents`: the offer that the row's price counters. */
export type TradeWithAmounts = {
  trade: TradeRow
  counteredCents: number | null
  /** Absent after the last move, when a suspension has nothing to hold. */
  isPaused?: boolean
}

const inCents = (value: number | null) => (value === null ? null : cents(value))

export const toTrade = ({ trade: row, counteredCents, isPaused = false }: TradeWithAmounts): Trade => ({
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
  ...toLoan(row),
  message: row.message,
  buyerId: row.ownerId,
  status: row.status,
  price: inCents(row.priceCents),
  salesTax: inCents(row.taxCreditCents),
  taxRate: row.taxRate,
  taxRateAsOf: row.taxRateAsOf,
  state: stateOfZip(row.zipCode),
  active: isActiveTrade(row.status) && row.deletedAt === null,
  isPaused: isPaused && isOpenTrade(row.status),
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  movedAt: row.movedAt.toISOString(),
  offerExpiresAt: row.offerExpiresAt?.toISOString() ?? null,
  expiredOffer: row.expiredAt && {
    price: cents(row.expiredPriceCents ?? 0),
    at: row.expiredAt.toISOString(),
    isWithdrawn: isWithdrawn(row),
  },
  counteredOffer: inCents(counteredCents),
})

/**
 * Adds the owner for wholesalers and administrators; a wholesaler sees the contact details only
 * while they are needed (R-trades-20).
 */
export function toTradeFor(caller: Caller, found: TradeWithBuyer): Trade {
  const { user, administrator } = caller
  const { trade: row, buyer } = found
  const isWholesaler = user?.wholesaler === true
  const isOwnOffer = row.offeredBy === user?.id
  if (!administrator && !isWholesaler) return toTrade(found)
  const visible = administrator !== null || (isWholesaler && isContactVisible(row, user.id))
  return {
    ...toTrade(found),
    isVinShared: found.isVinShared,
    ...(isWholesaler && {
      payoffAmount: null,
      lender: '',
      isOwnOffer,
      withdrawableUntil:
        isOwnOffer && !found.recentWithdrawers.includes(user.id) ? withdrawableUntil(found) : null,
    }),
    buyer: {
      firstName: buyer.firstName,
      lastName: buyer.lastName,
      email: visible ? buyer.email : null,
      phoneNumber: visible ? buyer.phoneNumber : null,
    },
  }
}

function withdrawableUntil({ trade: { status, movedAt }, now }: TradeWithBuyer): string | null {
  const end = withdrawalEnd(movedAt)
  return status === 'OFFERED' && end > now ? end.toISOString() : null
}

/** Adds the request that contains the trade, which only its owner may know. */
export function toOwnedTrade({ dealStatus, passedAt, car, ...found }: OwnedTrade): Trade {
  const stage = dealStatus && uses[dealStatus]
  const use = stage === 'PROMISED' && passedAt ? 'SIGNED' : stage
  if (!use || !car) return { ...toTrade(found), usedFor: null }
  const { model, ...facts } = car
  return { ...toTrade(found), usedFor: { use, ...facts, carModel: model } }
}

/** A request that ends in any other way frees its trades (R-trades-14). */
const uses: Partial<Record<NonNullable<OwnedTrade['dealStatus']>, TradeUse>> = {
  PENDING: 'REQUESTED',
  ACCEPTED: 'PROMISED',
  COMPLETED: 'SOLD',
}

/**
 * Encoded for the API, for errors that show the current state. Without the owner's contact data,
 * because nobody records who reads an error (R-accounts-52).
 */
export const encodeTrade = ({ buyer, ...now }: Trade): unknown =>
  trade.encode({ ...now, ...(buyer && { buyer: { ...buyer, email: null, phoneNumber: null } }) })

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
