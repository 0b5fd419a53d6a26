import { useState } from 'react'

/**
 * Returns the server's clock minus this device's, in milliseconds. `now` is the server's time when
 * it responded. `readAt` is this device's time when the response arrived, possibly hours ago.
 */
export function useServerOffset({ now }: { now: string }, readAt: number): number {
  // Measured only once, because a difference of a few milliseconds would restart the countdown.
  const [offset] = useState(() => new Date(now).getTime() - readAt)
  return offset
}
