import type { Party } from '@keyturn/contract/accounts/rules.ts'
import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { type ReactNode, useState } from 'react'
import { AgreementDialog } from './agreement-dialog.tsx'

export type AgreementState = {
  isSigned: boolean
  /** Whether the hold ended before the buyer signed. */
  isExpired: boolean
  maySign: boolean
  open: () => void
  dialog: ReactNode
}

export function useAgreementDialog(progress: Progress, side: Party): AgreementState {
  const [isOpen, setOpen] = useState(false)
  const { terms } = progress
  const isSigned = side === 'SELLER' ? progress.sellerSigned : progress.buyerSigned
  const isExpired = side === 'BUYER' && progress.exclusivityExpired && !isSigned
  return {
    isSigned,
    isExpired,
    maySign: terms !== null && mayMove(progress, side, 'sign'),
    open: () => setOpen(true),
    dialog: isOpen && terms && (
      <AgreementDialog progress={progress} terms={terms} side={side} onClose={() => setOpen(false)} />
    ),
  }
}
