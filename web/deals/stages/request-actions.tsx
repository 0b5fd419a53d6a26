import type { Progress } from '@keyturn/contract/deals/calls.ts'
import { dealTexts } from '@keyturn/contract/deals/texts.ts'
import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMyId } from '../../session.tsx'
import { EditPriceDialog, WithdrawDialog } from '../buyer-request-dialogs.tsx'
import { carsOfQuery } from '../queries.ts'

const texts = dealTexts.home

/** Another price while the seller has not accepted one; out of it while not both have signed (decisions B8, B9). */
export function RequestActions({ progress, isNext }: { progress: Progress; isNext?: boolean }) {
  const [open, setOpen] = useState<'price' | 'withdraw' | null>(null)
  const cars = useQuery(carsOfQuery(useMyId()))
  const row = cars.data?.find((car) => car.sellerId === progress.sellerId && car.vin === progress.vin)
  const close = () => setOpen(null)
  if (progress.status === null || progress.passedAt !== null) return null
  return (
    <Group gap="sm">
      <Button variant="default" disabled={!row} onClick={() => setOpen('withdraw')}>
        {texts.deleteRequest}
      </Button>
      {progress.status !== 'ACCEPTED' && (
        <Button variant={isNext ? 'filled' : 'default'} disabled={!row} onClick={() => setOpen('price')}>
          {texts.editPrice}
        </Button>
      )}
      {row && open === 'price' && <EditPriceDialog car={row} onClose={close} />}
      {row && open === 'withdraw' && <WithdrawDialog car={row} onClose={close} />}
    </Group>
  )
}
