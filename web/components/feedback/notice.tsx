import { VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { afterPress } from '../fields/after-press.ts'
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

/** Has a sentence read aloud; an empty one takes back the last that is no longer true (R-everywhere-60). */
export function announce(text: string) {
  // Screen readers announce a repeated sentence only if its text differs.
  show(spoken === text && text !== '' ? `${text}\u00a0` : text)
  clearTimeout(emptying)
  emptying = setTimeout(show, spokenMs, '')
}

/** Long enough to be read; later, a person who explores the page should not come upon it. */
const spokenMs = 10_000
let emptying: ReturnType<typeof setTimeout>

function show(text: string) {
  spoken = text
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
  const { start, clear } = useTimeout(() => afterPress(() => setOn(false)), ms)
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
