import type { Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { EditPriceDialog, WithdrawDialog } from '../buyer-request-dialogs.tsx'

const texts = dealTexts.home

/** Another price while the seller has not accepted one; out of it while not both have signed (decisions B8, B9). */
export function RequestActions({ progress, isNext }: { progress: Progress; isNext?: boolean }) {
  const [open, setOpen] = useState<'price' | 'withdraw' | null>(null)
  const { sellerId, vin, price, version, carDetails } = progress
  const requested = { ...carDetails, sellerId, vin, price, requestVersion: version }
  const close = () => setOpen(null)
  if (progress.status === null || progress.passedAt !== null) return null
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setOpen('withdraw')}>
        {texts.deleteRequest}
      </Button>
      {progress.status !== 'ACCEPTED' && (
        <Button variant={isNext ? 'filled' : 'default'} onClick={() => setOpen('price')}>
          {texts.editPrice}
        </Button>
      )}
      {open === 'price' && <EditPriceDialog car={requested} onClose={close} />}
      {open === 'withdraw' && <WithdrawDialog car={requested} onClose={close} />}
    </Group>
  )
}
