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
  /** More cards, which are folded. */
  children?: ReactNode
}

/**
 * A deal that both have signed: the next step first, then the steps, and beside them the sealed
 * agreement and everything else, folded (R-deals-100).
 */
export function SignedDeal({ progress, side, nextStep, children }: SignedDealProps) {
  const { pkgId, vin, sellerSignedAt, buyerSignedAt } = progress
  const agreement = useAgreementDialog(progress, side)
  const [, signedAt = ''] = [sellerSignedAt ?? '', buyerSignedAt ?? ''].sort()
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {nextStep}
        <SaleSteps progress={progress} side={side} />
      </div>
      <div className={classes.column}>
        {pkgId && (
          <SealedAgreementCard
            pkgId={pkgId}
            vin={vin}
            signedAt={signedAt}
            action={
              <Button variant="subtle" onClick={agreement.open}>
                {texts.view}
              </Button>
            }
          />
        )}
        <Folds>
          {(side === 'SELLER' || !progress.completed) && <PaperworkCard progress={progress} side={side} />}
          <TermSheet progress={progress} side={side} />
          <CurrentDealerCard progress={progress} />
          {children}
        </Folds>
      </div>
      {agreement.dialog}
    </div>
  )
}
