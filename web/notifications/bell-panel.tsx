import { ActionIcon, Popover, VisuallyHidden } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { texts } from '../ui/texts.ts'
import classes from './bell-panel.module.css'

type BellEntry = { id: string; text: ReactNode; at: string; isRead: boolean }

type BellProps = {
  title: string
  empty: string
  unread: number
  entries: readonly BellEntry[]
  /** Shown beside each entry: "12 min ago", "11/21/2026". */
  timeOf: (entry: BellEntry) => string
  onOpenEntry: (id: string) => void
}

/** The bell in the header with its unread count, and the panel under it. */
export function Bell({ title, empty, unread, entries, timeOf, onOpenEntry }: BellProps) {
  const [isOpen, setOpen] = useState(false)
  const titleId = useId()
  const name = unread > 0 ? `${title}, ${texts.unread(unread)}` : title
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={360}
      offset={6}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon aria-label={name} className={classes.target} onClick={() => setOpen(!isOpen)}>
          <IconBell size={22} stroke={1.5} aria-hidden />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-labelledby={titleId}>
        <h2 className={classes.title} id={titleId} tabIndex={-1} data-autofocus>
          {title}
        </h2>
        {entries.length === 0 && <p className={classes.empty}>{empty}</p>}
        <ul className={classes.list}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <button
                type="button"
                className={classes.entry}
                data-unread={!entry.isRead}
                onClick={() => onOpenEntry(entry.id)}
              >
                {!entry.isRead && <VisuallyHidden>{texts.newEntry}: </VisuallyHidden>}
                <span>{entry.text}</span>
                <time dateTime={entry.at} className={classes.time}>
                  {timeOf(entry)}
                </time>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
