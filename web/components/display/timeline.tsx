import { formatDateTime } from '@keyturn/contract/shared/dates.ts'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconArrowRight } from '../icons.tsx'
import { texts } from '../texts.ts'
import classes from './timeline.module.css'
import { Turn, type TurnState } from './turn.tsx'

type TimelineEntry = {
  id: string
  at: string
  person?: string
  what?: ReactNode
  /** The message, for an entry that is not an event. */
  body?: ReactNode
  before?: ReactNode
  after?: ReactNode
}

type TimelineProps = {
  label: string
  turn?: TurnState
  entries: readonly TimelineEntry[]
  children?: ReactNode
}

/** Events in the given order, newest first, below the turn and the form for a new message. */
export function Timeline({ label, turn, entries, children }: TimelineProps) {
  return (
    <div className={classes.timeline}>
      {turn && <Turn {...turn} />}
      {children}
      <ol className={classes.entries} aria-label={label}>
        {entries.map(({ id, at, person, what, body, before, after }) => (
          <li key={id} className={classes.entry}>
            <p className={classes.head}>
              {person && <strong>{person}</strong>}
              <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
            {body ?? <p>{what}</p>}
            {after !== undefined && (
              <p className={classes.change}>
                {before !== undefined && (
                  <>
                    <VisuallyHidden>{texts.from} </VisuallyHidden>
                    <del>{before}</del>
                    <IconArrowRight size={16} stroke={1.75} />
                    <VisuallyHidden> {texts.to} </VisuallyHidden>
                  </>
                )}
                <ins>{after}</ins>
              </p>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
