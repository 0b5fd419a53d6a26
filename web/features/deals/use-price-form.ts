import { updatePrice } from '@keyturn/contract/cars/endpoints.ts'
import { type Cents, centsToDollars } from '@keyturn/contract/shared/money.ts'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { formOptions, updateUntouched } from '../../components/fields/form.ts'
import type { TypedNumber } from '../../components/fields/number-text.ts'

type Typed = { newPrice: TypedNumber }

/**
 * A form with one field in whole dollars, validated against the endpoint's schema: 'Invalid price.'
 * (R-cars-3).
 */
export const usePriceForm = (price: Cents | null) =>
  useForm<Typed>(formOptions(updatePrice.body, { newPrice: inputValueOf(price) }))

/** Updates the field when the price changes elsewhere, unless the person has edited it. */
export const syncPriceField = (
  form: UseFormReturnType<Typed>,
  before: Cents | null,
  now: Cents | null,
): void => updateUntouched(form, { newPrice: inputValueOf(before) }, { newPrice: inputValueOf(now) })

const inputValueOf = (price: Cents | null) => (price === null ? '' : Math.round(centsToDollars(price)))

export const parsePrice = (values: Typed): Cents => updatePrice.body.parse(values).newPrice
