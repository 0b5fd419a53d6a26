import { formatDateTime, formatSpan, hourMs } from '@keyturn/contract/kit/dates.ts'
import { useEffect, useRef, useState } from 'react'
import { texts } from '../texts.ts'
import classes from './countdown.module.css'

type CountdownProps = {
  until: string
  /** The server's now minus this device's now, in milliseconds: a wrong clock must not move a deadline. */
  serverOffset?: number
  label: string
  /** Stands in place of the rest when the time is up. */
  over: string
  onOver?: () => void
}

/** A deadline as a time with its zone, and what is left of it: by the minute, in the last hour by the second. */
export function Countdown({ until, serverOffset = 0, label, over, onOver }: CountdownProps) {
  const left = useLeft(new Date(until).getTime() - serverOffset, onOver)
  return (
    <p className={classes.countdown}>
      <span className={classes.label}>{label}</span>{' '}
      <time dateTime={until} className={classes.time}>
        {formatDateTime(until)}
      </time>{' '}
      <span className={classes.left} data-close={left < hourMs} role="timer">
        {left <= 0 ? over : texts.left(left < hourMs ? inSeconds(left) : formatSpan(left))}
      </span>
    </p>
  )
}

function useLeft(end: number, onOver?: () => void): number {
  const [left, setLeft] = useState(() => end - Date.now())
  // Held aside, so that a new function of an unchanged meaning neither restarts the clock nor rings twice.
  const ring = useRef(onOver)
  useEffect(() => {
    ring.current = onOver
  })
  useEffect(() => {
    let timer = 0
    const tick = () => {
      const now = end - Date.now()
      setLeft(now)
      if (now <= 0) return ring.current?.()
      timer = window.setTimeout(tick, now < hourMs ? 1000 : 60_000)
    }
    tick()
    return () => window.clearTimeout(timer)
  }, [end])
  return left
}

function inSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const rest = `${seconds % 60} s`
  return seconds < 60 ? rest : `${Math.floor(seconds / 60)} min ${rest}`
}
