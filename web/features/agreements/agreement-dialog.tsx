import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { termSheetTexts as texts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { IconCheck } from '../../components/icons.tsx'
import {
  AgreementSheet,
  readBuyerSignature,
  readSellerSignature,
  type SheetTerms,
} from './agreement-sheet.tsx'
import { SigningDialog } from './signing-dialog.tsx'

type AgreementDialogProps = {
  progress: Progress
  terms: SheetTerms
  side: Party
  /** Shown above the sheet to sign. */
  lead?: ReactNode
  onClose: () => void
}

/** Shows the Vehicle Sale Agreement for signing, or for printing once this side has signed. */
export function AgreementDialog({ progress, terms, side, lead, onClose }: AgreementDialogProps) {
  const isSigned = side === 'SELLER' ? progress.sellerSigned : progress.buyerSigned
  if (!isSigned)
    return <SigningDialog progress={progress} terms={terms} side={side} lead={lead} onClose={onClose} />
  return (
    <Dialog
      title={buildAgreement(terms).title}
      size="lg"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={() => window.print()}>
            {texts.print}
          </Button>
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          <SignedButton />
        </>
      }
    >
      <AgreementSheet
        terms={terms}
        seller={readSellerSignature(progress)}
        buyer={readBuyerSignature(progress)}
      />
    </Dialog>
  )
}

/** Replaces Sign Agreement and I Agree after a person has signed. */
export const SignedButton = () => (
  <Button disabled leftSection={<IconCheck size={18} />}>
    {texts.signed}
  </Button>
)
