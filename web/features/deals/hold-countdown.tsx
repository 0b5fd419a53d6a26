import type { Progress } from '@keyturn/contract/deals/shapes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Countdown } from '../../components/display/countdown.tsx'
import { useServerOffset } from './use-server-offset.ts'

type HoldCountdownProps = {
  deal: Progress
  /** When `deal` was read, according to this device's clock. */
  readAt: number
  label: string
  over: string
}

/** The 72 hours for which the car is held, until both have signed (R-deals-37). */
export function HoldCountdown({ deal, readAt, label, over }: HoldCountdownProps) {
  const client = useQueryClient()
  const serverOffset = useServerOffset(deal, readAt)
  if (!deal.exclusiveUntil || deal.passedAt !== null) return null
  return (
    <Countdown
      until={deal.exclusiveUntil}
      serverOffset={serverOffset}
      label={label}
      over={over}
      onOver={() => void client.invalidateQueries({ queryKey: ['deals'] })}
    />
  )
}
