import { startProgress } from '@keyturn/contract/deals/calls.ts'
import { dealersTexts } from '@keyturn/contract/deals/dealers/dealers-texts.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useAct } from '../../decide/act.ts'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { WorkButton } from '../../ui/feedback/work-button.tsx'
import { progressQuery } from '../queries.ts'
import { EndedPurchase } from './ended-purchase.tsx'

const texts = dealersTexts.calledOff

/** The purchase of a car whose sale the dealer has called off: why stays readable, and the buyer may begin anew (R-deals-76). */
export function CalledOffPurchase({ progress }: { progress: Progress }) {
  const { sellerId: userId, vin, dealerName, dealerSteps } = progress
  const client = useQueryClient()
  const again = useAct(startProgress, {
    onDone: (started) => client.setQueryData(progressQuery(userId, vin).queryKey, started),
  })
  const reason = dealerSteps.findLast(({ step }) => step === 'cancelled')?.reason
  return (
    <EndedPurchase
      progress={progress}
      status={texts.status}
      title={texts.title(dealerName)}
      action={
        <WorkButton variant="default" onClick={() => again.attempt({ body: { userId, vin } })}>
          {texts.startAgain}
        </WorkButton>
      }
      trouble={again.refusal && <Trouble>{again.refusal.message}</Trouble>}
    >
      {reason && <p>{texts.reason(reason)}</p>}
      <p>{texts.text}</p>
    </EndedPurchase>
  )
}
