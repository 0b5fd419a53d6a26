import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { LinkButton } from '../../ui/frame/link.tsx'

/** The seller's deal could not be shown (R-deals-51): no such car of theirs, or it could not be loaded. */
export function DealError({ onRetry }: { onRetry?: () => void }) {
  return (
    <Trouble
      onRetry={onRetry}
      action={
        <LinkButton to="/home" search={{ view: 'selling' }} variant="default">
          {texts.toDashboard}
        </LinkButton>
      }
    >
      {texts.failed}
    </Trouble>
  )
}
