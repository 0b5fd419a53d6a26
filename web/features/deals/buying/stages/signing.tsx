import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts as sheet } from '@keyturn/contract/agreements/agreement-texts.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import type { ComponentProps } from 'react'
import { Card } from '../../../../components/layout/card.tsx'
import { FactTable } from '../../../../components/lists/fact-table.tsx'
import { TermSheet } from '../../../agreements/term-sheet.tsx'
import { useAgreementDialog } from '../../../agreements/use-agreement-dialog.tsx'
import { Question } from './question.tsx'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

const signingTexts = wizardTexts.signing

/** Stage 6: the term sheet and the signature, or the seller's denial. */
export function Signing(props: StageProps) {
  return props.progress.status === 'REJECTED' ? <Rejected {...props} /> : <Sign {...props} />
}

function Sign({ progress, moves, onAsk }: StageProps) {
  const agreement = useAgreementDialog(progress, 'BUYER')
  return (
    <>
      <Question
        title={signingTexts.title}
        lead={leadOf(progress, agreement.isExpired)}
        onSubmit={agreement.open}
        primary={progress.terms ? { label: sheet.signAgreement, disabled: !agreement.maySign } : undefined}
        moves={moves}
      >
        <TermSheet progress={progress} side="BUYER" />
      </Question>
      {agreement.dialog}
      <SellerAndActions progress={progress} onAsk={onAsk} />
    </>
  )
}

/** Omits the signature where none is possible; the sheet shows why. */
function leadOf({ status, seller }: Progress, isExpired: boolean): string | undefined {
  if (isExpired) return undefined
  return status === 'ACCEPTED'
    ? signingTexts.leadConfirmed(fullName(seller))
    : signingTexts.lead(fullName(seller))
}

function Rejected({ progress, moves, onAsk }: StageProps) {
  const { sellersMessage, noMessage, newPrice, editPrice } = dealTexts.home
  return (
    <>
      <Question
        title={dealTexts.home.rejectedTitle}
        lead={texts.rejected}
        onSubmit={() => onAsk('price')}
        primary={{ label: editPrice }}
        moves={moves}
      >
        <Card>
          <FactTable
            facts={[
              { term: newPrice, value: progress.price === null ? null : formatUsd(progress.price) },
              { term: sellersMessage, value: progress.message || noMessage },
            ]}
          />
        </Card>
      </Question>
      <SellerAndActions progress={progress} onAsk={onAsk} withoutPrice />
    </>
  )
}

const SellerAndActions = (props: ComponentProps<typeof RequestActions>) => (
  <>
    <SellerCard seller={props.progress.seller} />
    <RequestActions {...props} />
  </>
)
