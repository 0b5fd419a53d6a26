import { VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconCircleCheck, IconHourglass, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import classes from './notice.module.css'

type NoticeProps = {
  kind: keyof typeof icons
  title?: string
  /** What can be done about it; it changes without the sentence being read once more. */
  action?: ReactNode
  children?: ReactNode
}

/** Good or neutral news in its place; what went wrong is `Trouble`. */
export function Notice({ kind, title, action, children }: NoticeProps) {
  const Icon = icons[kind]
  return (
    <div className={classes.notice} data-kind={kind}>
      <Icon size={20} stroke={1.75} aria-hidden className={classes.icon} />
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

/** Says a change aloud to people who cannot see it. */
export function announce(text: string) {
  // The same sentence twice in a row is read only when the text differs.
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

/** On for a moment: "Price updated" for 3 seconds. Here and not beside its user, so that the first page loads its timer once. */
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
