import { loanTexts as texts } from '@keyturn/contract/cars/loan-texts.ts'
import { SimpleGrid } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { TypedNumber } from '../../components/fields/number-text.ts'
import { TextField } from '../../components/fields/text-field.tsx'
import { WholeDollarField } from '../../components/fields/whole-number-field.tsx'

export type LoanValues = { payoffAmount: TypedNumber; lender: string }
export const emptyLoan: LoanValues = { payoffAmount: '', lender: '' }

/** Converts typed values to the endpoint's input; what is hidden is not sent. */
export const loanWireOf = ({ payoff, payoffAmount, lender }: LoanValues & { payoff: boolean | null }) =>
  payoff
    ? { payoffAmount: payoffAmount === '' ? null : payoffAmount, lender }
    : { payoffAmount: null, lender: '' }

type LoanFieldsProps = {
  form: {
    values: { payoff: boolean | null }
    getInputProps: (path: keyof LoanValues) => GetInputPropsReturnType
  }
  /** Says what the answers are for. */
  hint: string
}

/** Asks for the loan, only where money is owed. */
export function LoanFields({ form, hint }: LoanFieldsProps) {
  if (!form.values.payoff) return null
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
      <WholeDollarField
        label={texts.fields.payoffAmount}
        description={texts.hints.payoffAmount}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...form.getInputProps('payoffAmount')}
      />
      <TextField
        label={texts.fields.lender}
        description={hint}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        maxLength={64}
        {...form.getInputProps('lender')}
      />
    </SimpleGrid>
  )
}
