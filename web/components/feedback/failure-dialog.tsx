import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessageOf } from '../../api/errors.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Outcome } from './outcome.tsx'

type FailureDialogProps = {
  title: string
  /**
   * The screen's sentence for this failure. A specific error (see `errorMessageOf`) replaces it.
   */
  sentence: string
  fault: unknown
  onTryAgain: () => void
  onEdit: () => void
  /** A button that leads elsewhere, where trying again cannot help. */
  action?: ReactNode
}

/**
 * Shown after a form failed. Try Again closes the dialog and resets the form (R-cars-9,
 * R-trades-16); going back keeps the typed values. A specific error hides Try Again, because the
 * same form would fail again.
 */
export function FailureDialog({ title, sentence, fault, onTryAgain, onEdit, action }: FailureDialogProps) {
  const message = errorMessageOf(fault, sentence)
  const primaryAction = message.mayTryAgain ? <Button onClick={onTryAgain}>{texts.tryAgain}</Button> : action
  return (
    <Dialog
      title={title}
      size="sm"
      onClose={onEdit}
      actions={
        <>
          <Button variant={primaryAction ? 'default' : undefined} onClick={onEdit}>
            {texts.keepEditing}
          </Button>
          {primaryAction}
        </>
      }
    >
      <Outcome kind="bad" title={message.sentence}>
        {message.cause}
      </Outcome>
    </Dialog>
  )
}
