import { z } from 'zod'

// Events that version 1 does not have, as the facts that are stored and hashed: money in cents. Released: never edited.
// A change is a new version (docs/how-to.md).

type Cents = number & { readonly unit: 'cents' }

const happened = <const Name extends string, Facts extends z.ZodRawShape>(event: Name, facts: Facts) =>
  z.object({ event: z.literal(event), ...facts })

/** `money`: how an amount is written. */
const eventsWith = <Money extends z.ZodType<Cents>>(money: Money) =>
  [
    /** The asking price of the car; no offer changes with it. `from` is null if the car had none. */
    happened('askingPriceChanged', { from: money.nullable(), to: money }),
    happened('priceProposed', { price: money }),
    happened('proposalTakenBack', { price: money }),
    /** `from`: the buyer's offer before. */
    happened('proposalAccepted', { from: money, to: money }),
    happened('proposalDeclined', { price: money }),
  ] as const

export const storedDealEvent2 = z.discriminatedUnion(
  'event',
  eventsWith(z.custom<Cents>(Number.isSafeInteger)),
)

/** The same as it is answered. */
export const shownDealEvent2 = <Money extends z.ZodType<Cents>>(money: Money) =>
  z.discriminatedUnion('event', eventsWith(money))
