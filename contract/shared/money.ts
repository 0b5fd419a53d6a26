import { z } from 'zod'

/** Internally, money is whole US cents; dollars exist only on the wire and in texts. */
export type Cents = number & { readonly unit: 'cents' }

export const maxPriceDollars = 10_000_000

/** For a number already known to be whole cents, such as a column or a sum. */
export const cents = (value: number): Cents => value as Cents

export const dollarsToCents = (value: number): Cents => cents(Math.round(value * 100))

export const centsToDollars = (value: Cents): number => value / 100

/** The only place that rounds: half up, to the cent, from an exact fraction of cents. */
export const divideToCents = (numerator: bigint, denominator: bigint): Cents =>
  cents(Number((numerator * 2n + denominator) / (denominator * 2n)))

/** Dollars with at most two decimals on the wire, cents inside. */
export const usd = z.codec(z.number().multipleOf(0.01), z.custom<Cents>(Number.isSafeInteger), {
  decode: (wire) => dollarsToCents(wire),
  encode: (value) => centsToDollars(value),
})

/** 0 on the wire for an amount that nobody has set (R-cars-2), null inside. */
export const usdOrUnset = z.codec(
  z.number().multipleOf(0.01),
  z.custom<Cents>(Number.isSafeInteger).nullable(),
  {
    decode: (wire) => (wire === 0 ? null : dollarsToCents(wire)),
    encode: (value) => (value === null ? 0 : centsToDollars(value)),
  },
)

const withCents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

const short = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 0,
})

/** `$9,500`, or `$9,500.50` when there are cents. */
export const formatUsd = (value: Cents): string =>
  (value % 100 === 0 ? whole : withCents).format(centsToDollars(value))

/** `$21K`, for a chart beside which the exact amounts are shown. */
export const formatUsdShort = (value: number): string => short.format(centsToDollars(cents(value)))

/** `$600.00`: for computed amounts, where the cents matter. */
export const formatUsdExact = (value: Cents): string => withCents.format(centsToDollars(value))
