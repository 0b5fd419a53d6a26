import type { ReactNode } from 'react'
import { errorMessageOf } from '../../api/errors.ts'
import { texts } from '../texts.ts'
import { ErrorNotice } from './error-notice.tsx'

type FailureProps = {
  /**
   * The screen's sentence for this failure. A specific error (see `errorMessageOf`) replaces it.
   */
  sentence: string
  fault: unknown
  /** Omitted where the button that failed can be clicked again. */
  onRetry?: () => unknown
  action?: ReactNode
}

/**
 * Shows a failure on a page, in a form or in a dialog: the screen's sentence, the cause, and how to
 * proceed (R-everywhere-33). A dialog that shows nothing but a failure is a `FailureDialog`.
 */
export function Failure({ sentence, fault, onRetry, action }: FailureProps) {
  const message = errorMessageOf(fault, sentence)
  const retry = retryProps(message, onRetry)
  return message.cause ? (
    <ErrorNotice {...retry} title={message.sentence} action={action}>
      {message.cause}
    </ErrorNotice>
  ) : (
    <ErrorNotice {...retry} action={action}>
      {message.sentence}
    </ErrorNotice>
  )
}

function retryProps(
  { mayTryAgain, cause }: ReturnType<typeof errorMessageOf>,
  onRetry: FailureProps['onRetry'],
) {
  if (mayTryAgain) return { onRetry }
  return cause ? { onRetry: () => location.reload(), retry: texts.reload } : {}
}
