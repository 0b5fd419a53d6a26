import { z } from 'zod'
import { deliveredPackage1 } from '../package-1/delivered-package.ts'
import { storedPackage1 } from '../package-1/stored-package.ts'

// The bodies of all webhooks that a dealer's system is sent. Released: never edited. A change is a new version
// (docs/how-to.md).

const { _id: id, buyer, price: usd } = storedPackage1.shape

const event = <const Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data })

/** The wish for a loan of a buyer who has agreed that the dealer gets in touch about it (R-deals-14). */
const financingWish = z.object({
  pkgId: id,
  buyer,
  amount: usd.nullable(),
  termMonths: z.int().nullable(),
  downPayment: usd.nullable(),
  consent: z.object({ given: z.literal(true), words: z.string() }),
})

export const dealerEvent1 = z.discriminatedUnion('type', [
  event('deal.passed', deliveredPackage1),
  event('deal.financing', financingWish),
  event('test', z.object({ dealer: z.string() })),
])
