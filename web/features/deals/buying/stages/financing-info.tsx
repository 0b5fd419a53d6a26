import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { type LoanTerm, loanTerms } from '@keyturn/contract/deals/financing.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { type Cents, centsToDollars } from '@keyturn/contract/shared/money.ts'
import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useDraft } from '../../../../auth/use-draft.ts'
import { Notice } from '../../../../components/feedback/notice.tsx'
import { Card } from '../../../../components/layout/card.tsx'
import {
  hasInvalidAmount,
  LoanEstimator,
  type LoanWish,
  typedToCents,
  wishedAmount,
} from '../loan/loan-estimator.tsx'
import { useTradeValue } from '../loan/use-trade-value.ts'
import { QuestionLayout } from './question-layout.tsx'
import type { StageProps } from './stage-props.ts'
import { useStageDraft } from './use-stage-draft.ts'

/**
 * Stage 4: estimates a loan, explains the credit application, and asks whether the dealer may call.
 */
export function FinancingInfo({ progress, moves }: StageProps) {
  const trades = useTradeValue(progress)
  const [tried, setTried] = useState<Partial<LoanWish>>({})
  const [contactConsent, setConsent] = useState(progress.financing?.contactConsent ?? false)
  const draft = {
    getValues: () => ({ tried, contactConsent }),
    setValues: (kept: Partial<Typed>) => {
      setTried(kept.tried ?? {})
      setConsent(kept.contactConsent === true)
    },
    isDirty: () => Object.keys(tried).length > 0 || contactConsent,
  }
  useStageDraft<Typed>(draft, 'loan')
  useDraft<Typed>(draft, 'loan')
  const wish: LoanWish = { ...storedWish(progress), tradeValue: trades.value, ...tried }
  const isTradeKnown = trades.isKnown || tried.tradeValue !== undefined
  const save = () =>
    moves.saveAndMove(5, {
      needsFinancing: true,
      financing: {
        amount: wishedAmount(wish),
        termMonths: wish.termMonths,
        downPayment: typedToCents(wish.downPayment),
        // With the trade's value, the server can recompute the amount when the price changes.
        tradeValue: isTradeKnown ? typedToCents(wish.tradeValue) : null,
        contactConsent,
      },
    })
  return (
    <QuestionLayout
      title={texts.financingTitle}
      lead={wizardTexts.loan.lead}
      onSubmit={save}
      primary={{
        label: texts.continue,
        working: wizardTexts.saving,
        blockedBecause: hasInvalidAmount(wish) && wizardTexts.loan.fixFirst,
      }}
      moves={moves}
    >
      <LoanEstimator wish={wish} onChange={(change) => setTried((sofar) => ({ ...sofar, ...change }))} />
      {trades.isOwed && <Notice kind="info">{wizardTexts.loan.tradeOwed}</Notice>}
      <Card title={wizardTexts.loan.application} order={3}>
        <Stack gap="md">
          <Text>{texts.financingExplained(progress.dealerName)}</Text>
          <Checkbox
            label={texts.financingConsent(progress.dealerName)}
            description={wizardTexts.loan.consentHint}
            checked={contactConsent}
            onChange={(event) => setConsent(event.currentTarget.checked)}
          />
        </Stack>
      </Card>
    </QuestionLayout>
  )
}

type Typed = { tried: Partial<LoanWish>; contactConsent: boolean }

const storedWish = ({ price, askingPrice, financing }: Progress): Omit<LoanWish, 'tradeValue'> => ({
  price: inputValueOf(price ?? askingPrice),
  downPayment: inputValueOf(financing?.downPayment ?? null),
  termMonths: supportedTerm(financing?.termMonths ?? null),
  band: 'good',
})

const inputValueOf = (amount: Cents | null): number | '' => (amount ? centsToDollars(amount) : '')
const supportedTerm = (months: number | null): LoanTerm => loanTerms.find((term) => term === months) ?? 60
