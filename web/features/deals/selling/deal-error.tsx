import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { HomeButton } from '../../../components/navigation/link.tsx'

type DealErrorProps = {
  /** Why loading failed, or why no car of the person has this link. */
  fault: Error | string
  onRetry?: () => unknown
}

/** Shown when a seller's deal could not be loaded (R-deals-51). */
export function DealError({ fault, onRetry }: DealErrorProps) {
  const action = (
    <HomeButton side="selling" variant="default">
      {texts.toDashboard}
    </HomeButton>
  )
  if (typeof fault === 'string')
    return (
      <ErrorNotice title={texts.failed} action={action}>
        {fault}
      </ErrorNotice>
    )
  return <Failure sentence={texts.failed} fault={fault} onRetry={onRetry} action={action} />
}
