import { describeOwed, loanTexts } from '@keyturn/contract/cars/loan-texts.ts'
import { centsToDollars } from '@keyturn/contract/shared/money.ts'
import { setTradeLoan, type Trade } from '@keyturn/contract/trades/endpoints.ts'
import { tradeTexts } from '@keyturn/contract/trades/texts.ts'
import { Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ComponentType } from 'react'
import { useEndpointMutation } from '../../../api/mutations/use-endpoint-mutation.ts'
import { useFormMutation } from '../../../api/mutations/use-form-mutation.ts'
import { Collapsible } from '../../../components/display/collapsible.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { WorkButton } from '../../../components/feedback/work-button.tsx'
import { createValidator, formOptions } from '../../../components/fields/form.ts'
import { YesNoField } from '../../../components/fields/yes-no-field.tsx'
import { LoanFields, type LoanValues, loanWireOf } from '../../cars/loan-fields.tsx'

const texts = tradeTexts.dialog.loan
const { fields, confirmRows } = tradeTexts.input

type TradeLoanProps = {
  trade: Trade
  /** Says what a change does to the request that contains the trade, and to its signatures. */
  Warning: ComponentType<{ trade: Trade }>
  onSaved: (trade: Trade) => void
}

/** What is owed on a trade, which its owner may change until the buyer is confirmed (R-trades-39). */
export function TradeLoan({ trade, Warning, onSaved }: TradeLoanProps) {
  const saving = useEndpointMutation(setTradeLoan, {
    refresh: [['trades'], ['deals']],
    success: texts.saved,
    onDone: onSaved,
  })
  const form = useForm<LoanValues & { payoff: boolean }>({
    ...formOptions(setTradeLoan.body, {
      payoff: trade.payoff,
      payoffAmount: trade.payoffAmount === null ? '' : centsToDollars(trade.payoffAmount),
      lender: trade.lender,
    }),
    validate: (typed) => createValidator(setTradeLoan.body)({ ...typed, ...loanWireOf(typed) }),
  })
  const { submit, trouble } = useFormMutation(form, (typed) =>
    saving.act({
      params: { tradeId: trade._id },
      body: { ...setTradeLoan.body.parse({ ...typed, ...loanWireOf(typed) }), version: trade.version },
    }),
  )
  const isFixed = trade.usedFor && trade.usedFor.use !== 'REQUESTED'
  return (
    <Collapsible title={`${confirmRows.payoff}: ${describeOwed(trade)}`}>
      {isFixed ? (
        <Text>{texts.fixed}</Text>
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap="md">
            <YesNoField label={fields.payoff} {...form.getInputProps('payoff')} />
            <LoanFields form={form} hint={loanTexts.hints.trade} />
            {trade.usedFor && <Warning trade={trade} />}
            {trouble && <ErrorNotice>{trouble.message}</ErrorNotice>}
            <Group justify="flex-end">
              <WorkButton type="submit" variant="default" busy={saving.isWorking} working={texts.saving}>
                {texts.save}
              </WorkButton>
            </Group>
          </Stack>
        </form>
      )}
    </Collapsible>
  )
}
