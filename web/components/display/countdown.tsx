import { formatDateTime, formatDuration, formatSeconds, hourMs } from '@keyturn/contract/shared/dates.ts'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import classes from './countdown.module.css'

type CountdownProps = {
  until: string
  /** The server's clock minus this device's, in ms. */
  serverOffset?: number
  label: string
  over: string
  onOver?: () => void
}

/** A deadline and the remaining time, updated every minute, and every second in the last hour. */
export function Countdown({ until, serverOffset = 0, label, over, onOver }: CountdownProps) {
  const left = useRemainingMs(new Date(until).getTime() - serverOffset, onOver)
  return (
    <p className={classes.countdown}>
      <span className={classes.label}>{label}</span>{' '}
      <time dateTime={until} className={classes.time}>
        {formatDateTime(until)}
      </time>{' '}
      <span className={classes.left} data-close={left < hourMs} role="timer">
        {left <= 0 ? over : texts.left(left < hourMs ? formatSeconds(left) : formatDuration(left))}
      </span>
    </p>
  )
}

function useRemainingMs(end: number, onOver?: () => void): number {
  const [left, setLeft] = useState(() => end - Date.now())
  // In a ref, so that a new function neither restarts the countdown nor is called again.
  const onOverRef = useRef(onOver)
  useEffect(() => {
    onOverRef.current = onOver
  })
  useEffect(() => {
    let timer = 0
    const tick = () => {
      const now = end - Date.now()
      setLeft(now)
      if (now <= 0) return onOverRef.current?.()
      timer = window.setTimeout(tick, now < hourMs ? 1000 : 60_000)
    }
    tick()
    return () => window.clearTimeout(timer)
  }, [end])
  return left
}
