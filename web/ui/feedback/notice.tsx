import { VisuallyHidden } from '@mantine/core'
import { IconCircleCheck, IconHourglass, IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useSyncExternalStore } from 'react'
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

let spoken = ''
const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
