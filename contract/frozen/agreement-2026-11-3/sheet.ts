import { z } from 'zod'
import { sheet20261102, terms20261102 } from '../agreement-2026-11-2/sheet.ts'

// What both sign under this text, as JSON. Released: never edited. A change is a new version (docs/how-to.md).

const { date, price: cents, ...terms } = terms20261102.shape

/** `payoffAmount` is null and `lender` empty where they are not stated. */
const loan = { payoffAmount: cents.nullable(), lender: z.string() }

export const terms20261103 = z.object({
  date,
  /** The calendar date where the car is, and the name of its time zone. */
  day: z.iso.date(),
  zone: z.string(),
  ...terms,
  price: cents,
  trades: z.array(terms.trades.element.extend({ owes: z.boolean(), ...loan })),
  /** The price less the trade-ins, plus the stated payoff amounts of loans on them. */
  leftToPay: cents,
  sellerOwes: z.boolean(),
  sellerPayoffAmount: loan.payoffAmount,
  sellerLender: loan.lender,
  textVersion: z.literal('2026-11-3'),
})
export type Terms20261103 = z.output<typeof terms20261103>

const words = sheet20261102.shape.agreement.extend({ version: z.literal('2026-11-3') })
export type AgreementWords20261103 = z.output<typeof words>

/** Every fact and every sentence. A signature covers the SHA-256 of these bytes. */
export const sheet20261103 = z.object({ terms: terms20261103, agreement: words })
