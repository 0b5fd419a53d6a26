import { updatePrice } from '@keyturn/contract/deals/calls.ts'
import type { Cents } from '@keyturn/contract/kit/money.ts'
import { inDollars } from '@keyturn/contract/kit/money.ts'
import { useForm } from '@mantine/form'
import { formOf } from '../ui/form.ts'

/** One field in whole dollars, by the rule of the call itself: 'Invalid price.' (1 s5). */
export const usePriceForm = (price: Cents | null) =>
  useForm<{ newPrice: number | '' }>(
    formOf(updatePrice.body, { newPrice: price === null ? '' : Math.round(inDollars(price)) }),
  )

/** Cents from what the form has found good. */
export const priceOf = (values: { newPrice: number | '' }): Cents => updatePrice.body.parse(values).newPrice
