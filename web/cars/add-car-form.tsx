import { addCar } from '@keyturn/contract/cars/calls.ts'
import { yearFits } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { fieldTexts } from '@keyturn/contract/kit/fields.ts'
import { SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ZipField } from '../ui/contact-fields.tsx'
import { formOf, schemaResolver } from '../ui/form.ts'
import { MoneyField } from '../ui/money-field.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextAreaField, TextField } from '../ui/text-field.tsx'
import { WholeNumberField } from '../ui/whole-number-field.tsx'
import { YesNoField } from '../ui/yes-no-field.tsx'
import { VerifiedVinField, type VinFacts } from './vin-form.tsx'

const texts = carTexts.add
const { fields } = carTexts

export type NewCar = Asked<typeof addCar>['body']
type CarForm = ReturnType<typeof useCarForm>
type CarValues = typeof emptyCar

const emptyCar = {
  vin: '',
  make: '',
  carModel: '',
  year: '' as number | '',
  mileage: '' as number | '',
  color: '',
  trim: '',
  payoff: false,
  price: '' as number | '',
  zipCode: '',
  message: '',
}

export const useCarForm = () =>
  useForm<CarValues>({
    ...formOf(addCar.body, emptyCar),
    validate: (values) => ({
      ...schemaResolver(addCar.body)(wireOf(values)),
      ...(isTooNew(values.year) && { year: fieldTexts.year }),
    }),
  })

/** The form as the call takes it; only for values that the form has found good. */
export const newCarOf = (values: CarValues): NewCar => addCar.body.parse(wireOf(values))

/** An empty price field means: not priced yet (1 s9, default 0). */
const wireOf = (values: CarValues) => ({ ...values, price: values.price === '' ? 0 : values.price })

const isTooNew = (year: number | '') => year !== '' && !yearFits(year, new Date().getFullYear())

/** The fields of Add A Car, in the specification's order; what is optional stands last. */
export function AddCarFields({ form }: { form: CarForm }) {
  const [isVerified, setVerified] = useState(false)
  const fill = (facts: VinFacts) => {
    const { make, carModel, year, trim } = facts
    form.setValues({ make, carModel, year, ...(trim && { trim }) })
    form.clearErrors()
    setVerified(true)
  }
  const refuse = (sentence: string) => {
    setVerified(false)
    form.setFieldError('vin', sentence)
  }
  const vin = form.getInputProps('vin')
  return (
    <Stack gap="md">
      <VerifiedVinField
        {...vin}
        label={texts.vinLabel}
        maxLength={32}
        description={vin.error === carTexts.vinLookupFailed ? texts.byHand : undefined}
        onFound={fill}
        onFailed={refuse}
        onChange={(value) => {
          setVerified(false)
          vin.onChange(value)
        }}
      />
      {isVerified && <Notice kind="good">{texts.verified}</Notice>}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <TextField label={fields.make} maxLength={64} {...form.getInputProps('make')} />
        <TextField label={fields.carModel} maxLength={64} {...form.getInputProps('carModel')} />
        <WholeNumberField label={fields.year} maxLength={4} {...form.getInputProps('year')} />
        <WholeNumberField grouped label={fields.mileage} maxLength={9} {...form.getInputProps('mileage')} />
        <TextField label={fields.color} maxLength={64} {...form.getInputProps('color')} />
        <TextField label={fields.trim} maxLength={64} {...form.getInputProps('trim')} />
      </SimpleGrid>
      <YesNoField label={fields.payoff} {...form.getInputProps('payoff')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <MoneyField
          label={fields.price}
          description={texts.priceHint}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          maxLength={12}
          {...form.getInputProps('price')}
        />
        <ZipField label={fields.zipCode} {...form.getInputProps('zipCode')} />
      </SimpleGrid>
      <TextAreaField label={fields.message} maxLength={1000} {...form.getInputProps('message')} />
    </Stack>
  )
}
