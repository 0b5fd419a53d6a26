import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Folds } from '../../../components/layout/card.tsx'
import { CurrentDealerCard } from '../current-dealer-card.tsx'
import { TermSheet } from '../term-sheet.tsx'
import { useAgreementDialog } from '../use-agreement-dialog.tsx'
import { PaperworkCard } from './paperwork-card.tsx'
import { SaleSteps } from './sale-steps.tsx'
import { SealedAgreementCard } from './sealed-agreement-card.tsx'
import classes from './signed-deal.module.css'

type SignedDealProps = {
  progress: Progress
  side: Party
  nextStep: ReactNode
  /** Shown below the term sheet until both have signed. */
  actions?: ReactNode
  /** More cards, which are folded. */
  children?: ReactNode
}

/**
 * A deal that this side has signed: the next step, and the term sheet. Once both have signed, the
 * steps of the sale, and beside them the sealed agreement and everything else, folded (R-deals-100).
 * It is one component in both states, so that what a person has open stays open.
 */
export function SignedDeal({ progress, side, nextStep, actions, children }: SignedDealProps) {
  const { pkgId, vin, passedAt } = progress
  const agreement = useAgreementDialog(progress, side)
  const isPassed = passedAt !== null
  return (
    <div className={classes.columns} data-passed={isPassed || undefined}>
      <div className={classes.column}>
        {nextStep}
        {isPassed ? (
          <SaleSteps progress={progress} side={side} />
        ) : (
          <>
            <TermSheet progress={progress} side={side} agreement={agreement} />
            {actions}
          </>
        )}
      </div>
      <div className={classes.column}>
        {pkgId && (
          <SealedAgreementCard
            pkgId={pkgId}
            vin={vin}
            signedAt={[progress.sellerSignedAt, progress.buyerSignedAt]}
            action={
              <Button variant="subtle" onClick={agreement.open}>
                {texts.view}
              </Button>
            }
          />
        )}
        <Folds>
          {isPassed && (
            <>
              {(side === 'SELLER' || !progress.completed) && (
                <PaperworkCard progress={progress} side={side} />
              )}
              <TermSheet progress={progress} side={side} agreement={agreement} />
            </>
          )}
          <CurrentDealerCard progress={progress} />
          {children}
        </Folds>
      </div>
      {agreement.dialog}
    </div>
  )
}
