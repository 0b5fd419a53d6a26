import { z } from 'zod'

// Events that versions 1 and 2 do not have, as the facts that are stored and hashed: money in cents. Released: never edited.
// A change is a new version (docs/how-to.md).

type Cents = number & { readonly unit: 'cents' }

/** `money`: how an amount is written. */
const eventsWith = <Money extends z.ZodType<Cents>>(money: Money) => {
  /** What is owed: null and empty where it is not stated. */
  const loan = z.object({ owes: z.boolean(), payoffAmount: money.nullable(), lender: z.string() })
  return [
    /** What is owed on the car, or on the trade with this VIN. */
    z.object({
      event: z.literal('loanChanged'),
      of: z.enum(['CAR', 'TRADE']),
      vin: z.string(),
      from: loan,
      to: loan,
    }),
  ] as const
}

export const storedDealEvent3 = z.discriminatedUnion(
  'event',
  eventsWith(z.custom<Cents>(Number.isSafeInteger)),
)

/** The same as it is answered. */
export const shownDealEvent3 = <Money extends z.ZodType<Cents>>(money: Money) =>
  z.discriminatedUnion('event', eventsWith(money))
