import { mayMove } from '@keyturn/contract/deals/may-move.ts'
import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group } from '@mantine/core'
import { EditPriceDialog, WithdrawDialog } from '../buyer-request-dialogs.tsx'

const texts = dealTexts.home

export type RequestDialog = 'price' | 'withdraw'

type RequestActionsProps = {
  progress: Progress
  onAsk: (dialog: RequestDialog) => void
  /** Set on screens that already ask for another price. */
  withoutPrice?: boolean
}

/**
 * Offers to change the price until the seller has confirmed, and to withdraw until both have signed
 * (R-deals-18, R-deals-20).
 */
export function RequestActions({ progress, onAsk, withoutPrice }: RequestActionsProps) {
  if (progress.status === null || !mayMove(progress, 'BUYER', 'withdraw')) return null
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => onAsk('withdraw')}>
        {texts.deleteRequest}
      </Button>
      {mayMove(progress, 'BUYER', 'reprice') && !withoutPrice && (
        <Button variant="default" onClick={() => onAsk('price')}>
          {texts.editPrice}
        </Button>
      )}
    </Group>
  )
}

type RequestDialogsProps = { progress: Progress; open: RequestDialog | null; onClose: () => void }

/**
 * Rendered outside the stages, so that typed values survive when the seller's action changes the
 * stage.
 */
export function RequestDialogs({ progress, open, onClose }: RequestDialogsProps) {
  const car = { ...progress, ...progress.carDetails, requestVersion: progress.version }
  if (open === 'price') return <EditPriceDialog car={car} onClose={onClose} />
  if (open === 'withdraw') return <WithdrawDialog car={car} onClose={onClose} />
  return null
}
