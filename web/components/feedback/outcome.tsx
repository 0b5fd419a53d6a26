import { type ReactNode, useEffect, useRef } from 'react'
import { IconCheck, IconExclamationMark, IconHourglass } from '../icons.tsx'
import classes from './outcome.module.css'

type OutcomeProps = {
  kind: keyof typeof icons
  title: string
  action?: ReactNode
  /** Heading level, for use inside a dialog or under a page's title. */
  order?: 1 | 2 | 3
  children?: ReactNode
}

/** A result such as "Invalid Link". Takes the focus, because the person continues from here. */
export function Outcome({ kind, title, action, order = 2, children }: OutcomeProps) {
  const Icon = icons[kind]
  const Heading = `h${order}` as const
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={classes.outcome} data-kind={kind}>
      <span className={classes.mark}>
        <Icon size={28} stroke={2} />
      </span>
      <Heading ref={heading} tabIndex={-1} className={classes.title}>
        {title}
      </Heading>
      {children && <div className={classes.words}>{children}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

const icons = { good: IconCheck, bad: IconExclamationMark, waiting: IconHourglass }
