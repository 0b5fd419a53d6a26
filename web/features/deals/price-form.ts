import { updatePrice } from '@keyturn/contract/deals/endpoints.ts'
import { type Cents, inDollars } from '@keyturn/contract/shared/money.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { formOptions, updateUntouched } from '../../components/fields/form.ts'
import type { TypedNumber } from '../../components/fields/number-text.ts'

type Typed = { newPrice: TypedNumber }

/** One field in whole dollars, validated by the endpoint's schema: 'Invalid price.' (R-cars-3). */
export const usePriceForm = (price: Cents | null) =>
  useForm<Typed>(formOptions(updatePrice.body, { newPrice: typedOf(price) }))

export const takeOverPrice = (
  form: UseFormReturnType<Typed>,
  before: Cents | null,
  now: Cents | null,
): void => updateUntouched(form, { newPrice: typedOf(before) }, { newPrice: typedOf(now) })

const typedOf = (price: Cents | null) => (price === null ? '' : Math.round(inDollars(price)))

export const priceOf = (values: Typed): Cents => updatePrice.body.parse(values).newPrice
