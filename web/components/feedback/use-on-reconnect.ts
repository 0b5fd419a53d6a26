import { useEffect, useEffectEvent } from 'react'

/** Calls back when the browser is online again, and every few seconds until the server responds. */
export function useOnReconnect(onBack: () => unknown): void {
  const back = useEffectEvent(onBack)
  useEffect(() => {
    let isChecking = false
    let isOver = false
    const check = async () => {
      if (isChecking || document.visibilityState !== 'visible') return
      isChecking = true
      if ((await isReachable()) && !isOver) await back()
      isChecking = false
    }
    const repeated = setInterval(check, checkIntervalMs)
    window.addEventListener('online', check)
    document.addEventListener('visibilitychange', check)
    return () => {
      isOver = true
      clearInterval(repeated)
      window.removeEventListener('online', check)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
}

export const isReachable = (): Promise<boolean> =>
  fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const checkIntervalMs = 5_000
