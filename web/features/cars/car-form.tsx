import { loanTexts } from '@keyturn/contract/cars/loan-texts.ts'
import { isPlausibleModelYear } from '@keyturn/contract/cars/rules.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'
import { SimpleGrid, Stack } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { ZipField } from '../../components/fields/contact-fields.tsx'
import type { TypedNumber } from '../../components/fields/number-text.ts'
import { TextAreaField, TextField } from '../../components/fields/text-field.tsx'
import { MilesField, WholeNumberField } from '../../components/fields/whole-number-field.tsx'
import { YesNoField } from '../../components/fields/yes-no-field.tsx'
import { LoanFields, type LoanValues } from './loan-fields.tsx'
import type { outdatedFieldProps } from './vin-fields.tsx'

const { fields } = carTexts

export type CarDetails = {
  make: string
  carModel: string
  year: TypedNumber
  mileage: TypedNumber
  color: string
  trim: string
  payoff: boolean | null
  zipCode: string
  message: string
} & LoanValues

type CarFieldsProps = {
  form: {
    values: Pick<CarDetails, 'payoff'>
    getInputProps: (path: keyof CarDetails) => GetInputPropsReturnType
  }
  markOf?: (name: 'make' | 'carModel' | 'year') => ReturnType<typeof outdatedFieldProps>
  trim?: ReactNode
  children?: ReactNode
}

/** The fields in the order of R-cars-1, with the optional ones last. */
export function CarFields({ form, markOf, trim, children }: CarFieldsProps) {
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        <TextField label={fields.make} maxLength={64} {...form.getInputProps('make')} {...markOf?.('make')} />
        <TextField
          label={fields.carModel}
          maxLength={64}
          {...form.getInputProps('carModel')}
          {...markOf?.('carModel')}
        />
        <WholeNumberField label={fields.year} {...form.getInputProps('year')} {...markOf?.('year')} />
        <MilesField label={fields.mileage} {...form.getInputProps('mileage')} />
        <TextField label={fields.color} maxLength={64} {...form.getInputProps('color')} />
        {trim ?? <TextField label={fields.trim} maxLength={64} {...form.getInputProps('trim')} />}
      </SimpleGrid>
      <YesNoField label={fields.payoff} {...form.getInputProps('payoff')} />
      <LoanFields form={form} hint={loanTexts.hints.car} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        {children}
        <ZipField label={fields.zipCode} {...form.getInputProps('zipCode')} />
      </SimpleGrid>
      <TextAreaField label={fields.message} maxLength={1000} {...form.getInputProps('message')} />
    </Stack>
  )
}

/** Compares the year with today's date, which the endpoint's schema does not do. */
export const validateYear = (year: TypedNumber) =>
  typeof year === 'number' && !isPlausibleModelYear(year, new Date().getFullYear())
    ? { year: fieldTexts.year }
    : {}
