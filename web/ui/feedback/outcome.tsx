import { IconCheck, IconExclamationMark, IconHourglass } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './outcome.module.css'

type OutcomeProps = {
  kind: keyof typeof icons
  title: string
  action?: ReactNode
  /** Inside a dialog or under a page's title: the heading is one step down. */
  order?: 1 | 2 | 3
  children?: ReactNode
}

/** What came of it: "Car Added Successfully!", "Invalid Link". Takes the focus, because the work goes on here. */
export function Outcome({ kind, title, action, order = 2, children }: OutcomeProps) {
  const Icon = icons[kind]
  const Heading = `h${order}` as const
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={classes.outcome} data-kind={kind}>
      <span className={classes.mark}>
        <Icon size={28} stroke={2} aria-hidden />
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
