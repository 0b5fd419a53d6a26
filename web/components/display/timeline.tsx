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
  before?: ReactNode
  after?: ReactNode
}

type TimelineProps = {
  label: string
  turn?: TurnState
  entries: readonly TimelineEntry[]
}

/** Events in the given order, newest first, below the turn. */
export function Timeline({ label, turn, entries }: TimelineProps) {
  return (
    <div className={classes.timeline}>
      {turn && <Turn {...turn} />}
      <ol className={classes.entries} aria-label={label}>
        {entries.map(({ id, at, person, what, before, after }) => (
          <li key={id} className={classes.entry}>
            <p className={classes.head}>
              {person && <strong>{person}</strong>}
              <time dateTime={at}>{formatDateTime(at)}</time>
            </p>
            <p>{what}</p>
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
