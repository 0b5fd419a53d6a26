import { useState } from 'react'

/**
 * The server's clock minus this device's, for a countdown. `readAt` is when the answer arrived by this device's clock,
 * because it may have been in the cache for hours.
 */
export function useServerOffset({ now }: { now: string }, readAt: number): number {
  // Measured once, so that a few milliseconds' difference in the next answer does not restart the countdown.
  const [offset] = useState(() => new Date(now).getTime() - readAt)
  return offset
}
