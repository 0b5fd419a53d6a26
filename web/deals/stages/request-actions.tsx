import type { Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { EditPriceDialog, WithdrawDialog } from '../buyer-request-dialogs.tsx'

const texts = dealTexts.home

type RequestActionsProps = {
  progress: Progress
  /** Where another price is what the screen itself asks for. */
  withoutPrice?: boolean
}

/** Another price while the seller has not accepted one; out of it while not both have signed (decisions B8, B9). */
export function RequestActions({ progress, withoutPrice }: RequestActionsProps) {
  const [open, setOpen] = useState<'price' | 'withdraw' | null>(null)
  const close = () => setOpen(null)
  if (progress.status === null || progress.passedAt !== null) return null
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setOpen('withdraw')}>
        {texts.deleteRequest}
      </Button>
      {progress.status !== 'ACCEPTED' && !withoutPrice && (
        <Button variant="default" onClick={() => setOpen('price')}>
          {texts.editPrice}
        </Button>
      )}
      {open === 'price' && <EditPriceDialog car={requestedOf(progress)} onClose={close} />}
      {open === 'withdraw' && <WithdrawDialog car={requestedOf(progress)} onClose={close} />}
    </Group>
  )
}

/** The request as the buyer's dialogs take it. */
export const requestedOf = ({ sellerId, vin, price, version, carDetails }: Progress) => ({
  ...carDetails,
  sellerId,
  vin,
  price,
  requestVersion: version,
})
