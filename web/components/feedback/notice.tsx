import { VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { IconCircleCheck, IconHourglass, IconInfoCircle } from '../icons.tsx'
import classes from './notice.module.css'

type NoticeProps = {
  kind: keyof typeof icons
  title?: string
  /** Rendered outside the live region, so that changing it does not announce the sentence again. */
  action?: ReactNode
  children?: ReactNode
}

/** A positive or neutral message on the page. For errors, use `ErrorNotice`. */
export function Notice({ kind, title, action, children }: NoticeProps) {
  const Icon = icons[kind]
  return (
    <div className={classes.notice} data-kind={kind}>
      <Icon size={20} stroke={1.75} className={classes.icon} />
      <div>
        <div role="status">
          {title && <p className={classes.title}>{title}</p>}
          {children && <div>{children}</div>}
        </div>
        {action && <div className={classes.action}>{action}</div>}
      </div>
    </div>
  )
}

const icons = { good: IconCircleCheck, info: IconInfoCircle, waiting: IconHourglass }

export function announce(text: string) {
  // Screen readers announce a repeated sentence only if its text differs.
  spoken = spoken === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

export function LiveRegion() {
  const text = useSyncExternalStore(
    subscribe,
    () => spoken,
    () => '',
  )
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {text}
    </VisuallyHidden>
  )
}

/** Returns a flag that is true for a moment, for messages such as "Price updated". */
export function useBriefly(ms: number): [isOn: boolean, turnOn: () => void] {
  const [isOn, setOn] = useState(false)
  const { start, clear } = useTimeout(() => setOn(false), ms)
  const turnOn = () => {
    clear()
    setOn(true)
    start()
  }
  return [isOn, turnOn]
}

let spoken = ''
const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
