import { useState } from 'react'

/**
 * Returns the server's clock minus this device's, in milliseconds. `now` is the server's clock when
 * it responded, `readAt` this device's when the response arrived, which may be hours ago.
 */
export function useServerOffset({ now }: { now: string }, readAt: number): number {
  // Measured once, because a few milliseconds more or less would restart the countdown.
  const [offset] = useState(() => new Date(now).getTime() - readAt)
  return offset
}
