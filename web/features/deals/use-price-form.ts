import { updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { type Cents, inDollars } from '@keyturn/contract/shared/money.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { formOptions, updateUntouched } from '../../components/fields/form.ts'
import type { TypedNumber } from '../../components/fields/number-text.ts'

type Typed = { newPrice: TypedNumber }

/** One field in whole dollars, validated by the endpoint's schema: 'Invalid price.' (R-cars-3). */
export const usePriceForm = (price: Cents | null) =>
  useForm<Typed>(formOptions(updatePrice.body, { newPrice: inputValueOf(price) }))

/** Updates the field after a change elsewhere, unless the person has edited it. */
export const followPriceChange = (
  form: UseFormReturnType<Typed>,
  before: Cents | null,
  now: Cents | null,
): void => updateUntouched(form, { newPrice: inputValueOf(before) }, { newPrice: inputValueOf(now) })

const inputValueOf = (price: Cents | null) => (price === null ? '' : Math.round(inDollars(price)))

export const parsePrice = (values: Typed): Cents => updatePrice.body.parse(values).newPrice
