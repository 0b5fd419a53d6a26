import { fullName } from '@keyturn/contract/accounts/rules.ts'
import type { Car } from '@keyturn/contract/cars/calls.ts'
import { sellingTexts as texts } from '@keyturn/contract/deals/selling-texts.ts'
import type { Request } from '@keyturn/contract/deals/shapes.ts'
import { Button } from '@mantine/core'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Trouble } from '../../ui/feedback/trouble.tsx'
import { DealEvents } from '../deal-timeline.tsx'

type StoryProps = {
  car: Car
  /** As it was when the dialog was opened. */
  request: Request
  /** As they are now. */
  requests: readonly Request[]
  onClose: () => void
}

/** One request's timeline. The dialog outlives the request, to say that it has ended. */
export function StoryDialog({ car, request, requests, onClose }: StoryProps) {
  const { buyer } = request
  const isGone = !requests.some(({ _id }) => _id === request._id)
  return (
    <Dialog
      title={texts.storyOf(fullName(buyer))}
      onClose={onClose}
      trouble={isGone && <Trouble>{texts.requestGone}</Trouble>}
      actions={isGone && <Button onClick={onClose}>{texts.close}</Button>}
    >
      {!isGone && (
        <DealEvents
          dealId={request._id}
          userId={car.sellerId}
          vin={car.vin}
          buyerId={buyer._id}
          other={fullName(buyer)}
        />
      )}
    </Dialog>
  )
}
