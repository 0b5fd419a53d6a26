import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { HomeButton } from '../../../components/navigation/link.tsx'

type DealErrorProps = {
  /** Why loading failed; undefined if the person has no such car. */
  fault?: Error
  onRetry?: () => unknown
}

/** Shown when a seller's deal could not be loaded (R-deals-51). */
export function DealError({ fault, onRetry }: DealErrorProps) {
  const action = (
    <HomeButton side="selling" variant="default">
      {texts.toDashboard}
    </HomeButton>
  )
  if (!fault) return <ErrorNotice action={action}>{texts.failed}</ErrorNotice>
  return <Failure sentence={texts.failed} fault={fault} onRetry={onRetry} action={action} />
}
