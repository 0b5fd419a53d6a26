import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { createValidator, formOptions } from '../../components/fields/form.ts'
import type { TypedNumber } from '../../components/fields/number-text.ts'
import { WholeDollarField } from '../../components/fields/whole-number-field.tsx'
import { type CarDetails, CarFields, validateYear } from './car-form.tsx'
import { emptyLoan, loanWireOf } from './loan-fields.tsx'
import { outdatedFieldProps, TrimField } from './vin-fields.tsx'
import { VerifiedVinField, validateVin } from './vin-form.tsx'
import type { VinValues } from './vin-values.ts'

const texts = carTexts.add
const { fields } = carTexts

export type NewCar = EndpointInput<typeof addCar>['body']
type CarForm = ReturnType<typeof useCarForm>
type CarValues = CarDetails & VinValues & { price: TypedNumber }

const emptyCar: CarValues = {
  vin: '',
  make: '',
  carModel: '',
  year: '',
  mileage: '',
  color: '',
  trim: '',
  payoff: null,
  ...emptyLoan,
  price: '',
  lookedUp: null,
  zipCode: '',
  message: '',
}

export const useCarForm = () =>
  useForm<CarValues>({
    ...formOptions(addCar.body, emptyCar),
    validate: (values) => ({
      ...validateVin(values),
      ...createValidator(addCar.body)(wireOf(values)),
      ...validateYear(values.year),
    }),
  })

/** Converts validated form values to the endpoint's input. */
export const parseNewCar = (values: CarValues): NewCar => addCar.body.parse(wireOf(values))

/** An empty price field means that no price is set yet (R-cars-2). */
const wireOf = (values: CarValues) => ({
  ...values,
  ...loanWireOf(values),
  price: values.price === '' ? 0 : values.price,
})

/** The fields of Add A Car. The VIN is first, because it may fill in the others. */
export function AddCarFields({ form }: { form: CarForm }) {
  return (
    <Stack gap="md">
      <VerifiedVinField label={texts.vinLabel} form={form} />
      <CarFields
        form={form}
        markOf={(name) => outdatedFieldProps(form.values, name)}
        trim={<TrimField label={fields.trim} form={form} />}
      >
        <WholeDollarField
          label={fields.price}
          description={texts.priceHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          {...form.getInputProps('price')}
        />
      </CarFields>
    </Stack>
  )
}
