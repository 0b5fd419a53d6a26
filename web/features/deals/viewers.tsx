import { reportViewing } from '@keyturn/contract/deals/presence/endpoints.ts'
import { presenceTexts } from '@keyturn/contract/deals/presence/presence-texts.ts'
import { presenceIntervalMs } from '@keyturn/contract/notifications/rules.ts'
import { useEffect, useState } from 'react'
import { send } from '../../api/send.ts'
import { onViewersChange } from '../../api/server-events.ts'
import { isPageVisible } from '../../api/shared-event-stream.ts'
import classes from './viewers.module.css'

/**
 * Names the other people who have the deal open. Without any, the line stays empty, so that nothing
 * moves (R-deals-82).
 */
export function Viewers({ userId, vin }: { userId: string; vin: string }) {
  const names = useViewers(userId, vin)
  return (
    <span className={classes.lookers} role="status" data-there={names.length > 0 || undefined}>
      {names.length > 0 && presenceTexts.looking(names)}
    </span>
  )
}

/**
 * Reports this tab as a viewer while it is visible, and returns the names of the others
 * (R-deals-82). Failures are ignored, because nothing else depends on this.
 */
function useViewers(userId: string, vin: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const report = async (isLooking: boolean) => {
      const input = { params: { userId, vin }, body: { tab: tabId, isLooking } }
      const response = await send(reportViewing, input, { keepalive: !isLooking }).catch(() => null)
      if (timer !== undefined) setNames(response?.names ?? [])
    }
    const reportPresence = () => {
      if (timer !== undefined) void report(true)
    }
    const startReporting = () => {
      if (timer !== undefined) return
      timer = setInterval(reportPresence, presenceIntervalMs)
      reportPresence()
    }
    const stopReporting = () => {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      setNames([])
      void report(false)
    }
    const updateReporting = () => (isPageVisible() ? startReporting() : stopReporting())
    updateReporting()
    const unsubscribe = onViewersChange(reportPresence)
    document.addEventListener('visibilitychange', updateReporting)
    window.addEventListener('pagehide', stopReporting)
    window.addEventListener('pageshow', updateReporting)
    return () => {
      unsubscribe()
      document.removeEventListener('visibilitychange', updateReporting)
      window.removeEventListener('pagehide', stopReporting)
      window.removeEventListener('pageshow', updateReporting)
      stopReporting()
    }
  }, [userId, vin])
  return names
}

/** Tells apart the tabs in which one person has the same deal open. */
const tabId = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
