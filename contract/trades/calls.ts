import { z } from 'zod'
import { id, isoTime } from '../kit/fields.ts'
import { usd } from '../kit/money.ts'
import { tradeStatuses } from './rules.ts'

export const trade = z.object({
  _id: id,
  vin: z.string(),
  make: z.string(),
  carModel: z.string(),
  year: z.number(),
  trim: z.string(),
  mileage: z.number(),
  color: z.string(),
  zipCode: z.string(),
  payoff: z.boolean(),
  message: z.string(),
  buyerId: id,
  status: z.enum(tradeStatuses),
  price: usd.nullable(),
  salesTax: usd.nullable(),
  active: z.boolean(),
  version: z.number(),
  createdAt: isoTime,
})
export type Trade = z.output<typeof trade>
