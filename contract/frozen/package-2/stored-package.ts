import { z } from 'zod'
import { storedPackage1 } from '../package-1/stored-package.ts'

// Version 2 of what both have signed, as it is stored and logged: version 1 with the loans, and with the date where the car
// is. Released: never edited. A change is a new version (docs/how-to.md).

const { car, agreement, trades, price: usd } = storedPackage1.shape
const { terms } = agreement.shape

/** What is owed: null and empty where it is not stated. */
const loan = { payoffAmount: usd.nullable(), lender: z.string() }

/** Fields of text 2026-11-3; earlier texts have fewer. */
const terms2 = terms.extend({
  day: z.iso.date().optional(),
  zone: z.string().optional(),
  trades: z
    .array(
      terms.shape.trades.unwrap().element.extend({
        owes: z.boolean().optional(),
        payoffAmount: usd.nullish(),
        lender: z.string().optional(),
      }),
    )
    .optional(),
  sellerPayoffAmount: usd.nullish(),
  sellerLender: z.string().optional(),
})

export const storedPackage2 = storedPackage1.extend({
  formatVersion: z.literal(2),
  car: car.extend(loan),
  agreement: agreement.extend({ terms: terms2 }),
  trades: z.array(trades.element.extend(loan)),
})
export type StoredPackage2 = z.output<typeof storedPackage2>
