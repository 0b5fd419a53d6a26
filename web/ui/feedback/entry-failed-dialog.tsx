import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Outcome } from './outcome.tsx'

type EntryFailedDialogProps = {
  title: string
  failed: string
  /** Starts over with an empty form. */
  onTryAgain: () => void
  /** Returns to the form as it was filled in. */
  onEdit: () => void
  /** The reason, if known. */
  children?: ReactNode
}

/** Try Again closes the dialog and resets the form (R-cars-9, R-trades-16); going back keeps what was typed. */
export function EntryFailedDialog({ title, failed, onTryAgain, onEdit, children }: EntryFailedDialogProps) {
  return (
    <Dialog
      title={title}
      size="sm"
      onClose={onEdit}
      actions={
        <>
          <Button variant="default" onClick={onEdit}>
            {texts.keepEditing}
          </Button>
          <Button onClick={onTryAgain}>{texts.tryAgain}</Button>
        </>
      }
    >
      <Outcome kind="bad" title={failed}>
        {children}
      </Outcome>
    </Dialog>
  )
}
