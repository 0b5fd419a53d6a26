import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessageOf } from '../../api/errors.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Outcome } from './outcome.tsx'

type FailureDialogProps = {
  title: string
  /** The screen's sentence for this failure, unless the error is named. */
  sentence: string
  fault: unknown
  onTryAgain: () => void
  onEdit: () => void
  /** A button to a more useful place, where trying again cannot help. */
  action?: ReactNode
}

/**
 * Shown after a form failed. Try Again closes the dialog and resets the form (R-cars-9,
 * R-trades-16); going back keeps the typed values. A named error hides that button, because the
 * same form would fail again.
 */
export function FailureDialog({ title, sentence, fault, onTryAgain, onEdit, action }: FailureDialogProps) {
  const told = errorMessageOf(fault, sentence)
  const leads = told.mayTryAgain ? <Button onClick={onTryAgain}>{texts.tryAgain}</Button> : action
  return (
    <Dialog
      title={title}
      size="sm"
      onClose={onEdit}
      actions={
        <>
          <Button variant={leads ? 'default' : undefined} onClick={onEdit}>
            {texts.keepEditing}
          </Button>
          {leads}
        </>
      }
    >
      <Outcome kind="bad" title={told.sentence}>
        {told.cause}
      </Outcome>
    </Dialog>
  )
}
