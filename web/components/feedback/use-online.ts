import { useEffect, useEffectEvent } from 'react'

/** Calls back when the browser is online again, and every few seconds until the server answers. */
export function useIsBackOnline(onBack: () => unknown): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    let isLooking = false
    let isOver = false
    const look = async () => {
      if (isLooking || document.visibilityState !== 'visible') return
      isLooking = true
      if ((await isReachable()) && !isOver) await back()
      isLooking = false
    }
    const repeated = setInterval(look, everyMs)
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      isOver = true
      clearInterval(repeated)
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}

export const isReachable = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const everyMs = 5_000
