import type { ReactNode } from 'react'
import { errorMessageOf } from '../../api/errors.ts'
import { texts } from '../texts.ts'
import { ErrorNotice } from './error-notice.tsx'

type FailureProps = {
  /** What the screen says of this failure, unless the refusal has a name. */
  sentence: string
  fault: unknown
  /** Left out where the button that failed is still there to be pressed. */
  onRetry?: () => unknown
  action?: ReactNode
}

/**
 * The one shape of a failure on a page, in a form and at the foot of a dialog: the screen's sentence, the cause, and
 * the way on (R-everywhere-33). A dialog that is all about a failure is a `FailureDialog`.
 */
export function Failure({ sentence, fault, onRetry, action }: FailureProps) {
  const told = errorMessageOf(fault, sentence)
  const retry = wayOn(told, onRetry)
  return told.cause ? (
    <ErrorNotice {...retry} title={told.sentence} action={action}>
      {told.cause}
    </ErrorNotice>
  ) : (
    <ErrorNotice {...retry} action={action}>
      {told.sentence}
    </ErrorNotice>
  )
}

function wayOn({ mayTryAgain, cause }: ReturnType<typeof errorMessageOf>, onRetry: FailureProps['onRetry']) {
  if (mayTryAgain) return { onRetry }
  return cause ? { onRetry: () => location.reload(), retry: texts.reload } : {}
}
