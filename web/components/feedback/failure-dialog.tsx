import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { errorMessageOf } from '../../api/errors.ts'
import { texts } from '../texts.ts'
import { Dialog } from './dialog.tsx'
import { Outcome } from './outcome.tsx'

type FailureDialogProps = {
  title: string
  /** What the screen says of this failure, unless the refusal has a name. */
  sentence: string
  fault: unknown
  onTryAgain: () => void
  onEdit: () => void
  /** Where trying again cannot help: a button that leads where it does. */
  action?: ReactNode
}

/**
 * A form was sent and failed. Try Again closes the dialog and resets the form (R-cars-9, R-trades-16); going back keeps
 * what was typed. After a refusal with a name the same form would fail again, so that button is not there.
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
