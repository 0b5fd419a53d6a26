import { loanTexts } from '@keyturn/contract/cars/loan-texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { addTrade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { SimpleGrid, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { PutBackNotice } from '../../../components/feedback/put-back-notice.tsx'
import { ZipField } from '../../../components/fields/contact-fields.tsx'
import { createValidator, formOptions } from '../../../components/fields/form.ts'
import type { TypedNumber } from '../../../components/fields/number-text.ts'
import { TextAreaField, TextField } from '../../../components/fields/text-field.tsx'
import { MilesField, WholeNumberField } from '../../../components/fields/whole-number-field.tsx'
import { YesNoField } from '../../../components/fields/yes-no-field.tsx'
import { validateYear } from '../../cars/car-form.tsx'
import { emptyLoan, LoanFields, loanWireOf } from '../../cars/loan-fields.tsx'
import { outdatedFieldProps, TrimField } from '../../cars/vin-fields.tsx'
import { VerifiedVinField, validateVin } from '../../cars/vin-form.tsx'
import type { VinValues } from '../../cars/vin-values.ts'

const { fields } = tradeTexts.input

export type NewTrade = EndpointInput<typeof addTrade>['body']
type TradeForm = ReturnType<typeof useTradeForm>
type TradeValues = typeof emptyTrade

const emptyTrade = {
  vin: '',
  make: '',
  carModel: '',
  trim: '',
  year: '' as TypedNumber,
  mileage: '' as TypedNumber,
  color: '',
  zipCode: '',
  payoff: false,
  ...emptyLoan,
  message: '',
  lookedUp: null as VinValues['lookedUp'],
} satisfies Record<Exclude<keyof NewTrade, 'buyerId'> | 'lookedUp', unknown>

export const useTradeForm = () =>
  useForm<TradeValues>({
    ...formOptions(addTrade.body, emptyTrade),
    validate: (values) => ({
      ...validateVin(values),
      ...createValidator(addTrade.body)(wireOf(values)),
      ...validateYear(values.year),
    }),
  })

/** Converts validated form values to the endpoint's input. */
export const parseNewTrade = (values: TradeValues): NewTrade => addTrade.body.parse(wireOf(values))

const wireOf = (values: TradeValues) => ({ ...values, ...loanWireOf(values) })

type TradeFieldsProps = { form: TradeForm; onPutBack: (() => void) | undefined }

/** In the order of R-cars-1, for the page of a trade and for the guided purchase. */
export function TradeFields({ form, onPutBack }: TradeFieldsProps) {
  return (
    <Stack gap="md">
      <PutBackNotice onPutBack={onPutBack} />
      <VerifiedVinField label={fields.vin} form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
        {(['make', 'carModel'] as const).map((name) => (
          <TextField
            key={name}
            label={fields[name]}
            maxLength={64}
            {...form.getInputProps(name)}
            {...outdatedFieldProps(form.values, name)}
          />
        ))}
        <TrimField label={fields.trim} form={form} />
        <WholeNumberField
          label={fields.year}
          {...form.getInputProps('year')}
          {...outdatedFieldProps(form.values, 'year')}
        />
        <MilesField label={fields.mileage} {...form.getInputProps('mileage')} />
        <TextField label={fields.color} maxLength={64} {...form.getInputProps('color')} />
        <ZipField label={fields.zipCode} {...form.getInputProps('zipCode')} />
      </SimpleGrid>
      <YesNoField
        label={fields.payoff}
        description={tradeTexts.input.payoffHint}
        {...form.getInputProps('payoff')}
      />
      <LoanFields form={form} hint={loanTexts.hints.trade} />
      <TextAreaField
        label={fields.message}
        description={tradeTexts.input.messageHint}
        maxLength={1000}
        {...form.getInputProps('message')}
      />
    </Stack>
  )
}
