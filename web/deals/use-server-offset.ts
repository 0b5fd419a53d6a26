import { useState } from 'react'

/**
 * The server's clock minus this device's, for a countdown. `readAt` is when the answer came, by this device: it may
 * have lain in the cache for hours.
 */
export function useServerOffset({ now }: { now: string }, readAt: number): number {
  // Measured once: a few milliseconds more or less at the next reading must not start the clock anew.
  const [offset] = useState(() => new Date(now).getTime() - readAt)
  return offset
}
