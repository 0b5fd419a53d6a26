import { fullName } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts as sheet } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { buyingTexts as texts } from '@keyturn/contract/deals/buying-texts.ts'
import { turnsOnDeal } from '@keyturn/contract/deals/rules.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { wizardTexts } from '@keyturn/contract/deals/wizard-texts.ts'
import { firstNameOf } from '@keyturn/contract/messages/rules.ts'
import { formatUsd } from '@keyturn/contract/shared/money.ts'
import { Folds } from '../../../../components/layout/card.tsx'
import { FactTable } from '../../../../components/lists/fact-table.tsx'
import { CurrentDealerCard } from '../../../agreements/current-dealer-card.tsx'
import { CallButton } from '../../../agreements/signed/next-sale-step.tsx'
import { TermSheet } from '../../../agreements/term-sheet.tsx'
import { useAgreementDialog } from '../../../agreements/use-agreement-dialog.tsx'
import { dealTurn } from '../../deal-turn.ts'
import { HoldCountdown } from '../../hold-countdown.tsx'
import { requestStates } from '../request-states.ts'
import { QuestionLayout } from './question-layout.tsx'
import { RequestActions } from './request-actions.tsx'
import { SellerCard } from './seller-card.tsx'
import type { StageProps } from './stage-props.ts'

const signingTexts = wizardTexts.signing

/** Stage 6: the term sheet and the signature, or the seller's denial. */
export function SigningStage(props: StageProps) {
  const { status, seller } = props.progress
  const { lead } = requestStates[status ?? 'STARTED']
  return lead === null ? <Rejected {...props} /> : <Sign {...props} lead={lead(fullName(seller))} />
}

function Sign({ progress, readAt, moves, onAsk, lead, children }: StageProps & { lead: string }) {
  const agreement = useAgreementDialog(progress, 'BUYER')
  const turn = dealTurn(progress, 'BUYER')
  const isTurnToSign = turnsOnDeal(progress).includes('buyerSigns')
  const { seller, proposedPrice } = progress
  return (
    <>
      <QuestionLayout
        turn={turn}
        title={isTurnToSign || !turn ? signingTexts.title : turn.text}
        lead={isTurnToSign ? lead : undefined}
        details={
          <>
            {agreement.isExpired && <p>{sheet.expired}</p>}
            {agreement.isExpired && seller.phoneNumber && (
              <div>
                <CallButton name={firstNameOf(seller)} number={seller.phoneNumber} />
              </div>
            )}
            <HoldCountdown
              deal={progress}
              readAt={readAt}
              label={wizardTexts.held}
              over={wizardTexts.holdOver}
            />
          </>
        }
        onSubmit={agreement.open}
        // An open proposal is answered first, with the buttons above.
        primary={
          progress.terms && proposedPrice === null && !progress.isPaused
            ? { label: sheet.signAgreement, disabled: !agreement.maySign }
            : undefined
        }
        moves={progress.isPaused ? { ...moves, moveBack: undefined } : moves}
      >
        <TermSheet progress={progress} side="BUYER" agreement={agreement} />
      </QuestionLayout>
      {agreement.dialog}
      <RequestActions progress={progress} onAsk={onAsk} />
      <Folds>
        <CurrentDealerCard progress={progress} />
        <SellerCard seller={seller} />
        {children}
      </Folds>
    </>
  )
}

function Rejected({ progress, moves, onAsk, children }: StageProps) {
  const { sellersMessage, noMessage, newPrice, editPrice } = dealTexts.home
  return (
    <>
      <QuestionLayout
        turn={dealTurn(progress, 'BUYER')}
        title={dealTexts.home.rejectedTitle}
        lead={texts.rejected}
        details={
          <FactTable
            facts={[
              { term: newPrice, value: progress.price === null ? null : formatUsd(progress.price) },
              { term: sellersMessage, value: progress.message || noMessage },
            ]}
          />
        }
        onSubmit={() => onAsk('price')}
        primary={{ label: editPrice }}
        moves={moves}
      />
      <RequestActions progress={progress} onAsk={onAsk} withoutPrice />
      <Folds>
        <SellerCard seller={progress.seller} />
        {children}
      </Folds>
    </>
  )
}
