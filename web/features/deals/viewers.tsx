import { lookAtDeal } from '@keyturn/contract/deals/presence/endpoints.ts'
import { presenceTexts } from '@keyturn/contract/deals/presence/presence-texts.ts'
import { presenceEveryMs } from '@keyturn/contract/notifications/rules.ts'
import { useEffect, useState } from 'react'
import { send } from '../../api/send.ts'
import { onViewersChange } from '../../api/server-events.ts'
import { isPageVisible } from '../../api/shared-event-stream.ts'
import classes from './viewers.module.css'

/**
 * The other people who have the deal open. The line is kept when empty, so that nothing moves
 * (R-deals-82).
 */
export function Viewers({ userId, vin }: { userId: string; vin: string }) {
  const names = useLookers(userId, vin)
  return (
    <span className={classes.lookers} role="status" data-there={names.length > 0 || undefined}>
      {names.length > 0 && presenceTexts.looking(names)}
    </span>
  )
}

/**
 * Reports this visible tab as a viewer and returns the deal's other viewers (R-deals-82). Failures
 * are silent, because nothing depends on it.
 */
function useLookers(userId: string, vin: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined
    const say = async (isLooking: boolean) => {
      const asking = { params: { userId, vin }, body: { tab, isLooking } }
      const told = await send(lookAtDeal, asking, { keepalive: !isLooking }).catch(() => null)
      if (timer !== undefined) setNames(told?.names ?? [])
    }
    const sayHere = () => {
      if (timer !== undefined) void say(true)
    }
    const come = () => {
      if (timer !== undefined) return
      timer = setInterval(sayHere, presenceEveryMs)
      sayHere()
    }
    const go = () => {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      setNames([])
      void say(false)
    }
    const look = () => (isPageVisible() ? come() : go())
    look()
    const deafen = onViewersChange(sayHere)
    document.addEventListener('visibilitychange', look)
    window.addEventListener('pagehide', go)
    window.addEventListener('pageshow', look)
    return () => {
      deafen()
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pagehide', go)
      window.removeEventListener('pageshow', look)
      go()
    }
  }, [userId, vin])
  return names
}

/**
 * Identifies this tab, because a person may have a deal open in several. New with each document.
 */
const tab = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')
