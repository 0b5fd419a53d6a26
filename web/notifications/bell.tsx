import { formatDate, formatSpan, formatTime, hourMs } from '@keyturn/contract/kit/dates.ts'
import type { Notification } from '@keyturn/contract/notifications/calls.ts'
import { pageOf } from '@keyturn/contract/notifications/places.ts'
import { notificationTexts as texts } from '@keyturn/contract/notifications/texts.ts'
import { ActionIcon, Popover, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useId, useRef, useState } from 'react'
import { announce } from '../ui/feedback/notice.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { IconBell } from '../ui/icons.tsx'
import { texts as shared } from '../ui/texts.ts'
import classes from './bell-panel.module.css'
import { notificationsQuery, unreadQuery, useMarkAllRead, useMarkRead } from './queries.ts'

/** The bell of the signed-in frame. Failed fetches are not reported (R-notifications-8). */
export function NotificationBell() {
  const list = useInfiniteQuery(notificationsQuery)
  const { data: unread = 0 } = useQuery(unreadQuery)
  const navigate = useNavigate()
  const markRead = useMarkRead()
  const markAllRead = useMarkAllRead()
  const shown = list.data?.pages.flatMap(({ rows }) => rows) ?? []
  const [newest] = shown
  return (
    <Bell
      title={texts.title}
      empty={texts.empty}
      unread={unread}
      days={daysOf(shown, new Date())}
      onOpenEntry={(id) => {
        const notice = shown.find(({ _id }) => _id === id)
        if (!notice) return
        void markRead(notice)
        if (notice.place) void navigate({ href: pageOf(notice.place) })
      }}
      onReadAll={() => {
        if (!newest) return
        void markAllRead(newest)
        announce(texts.allRead)
      }}
      onOlder={list.hasNextPage ? () => list.fetchNextPage() : undefined}
    />
  )
}

/** By the reader's own days. */
function daysOf(notices: readonly Notification[], now: Date): BellDay[] {
  const days: BellDay[] = []
  for (const notice of notices) {
    const name = dayOf(notice.createdAt, now)
    const last = days.at(-1)
    const entries = last?.name === name ? last.entries : []
    if (entries !== last?.entries) days.push({ name, entries })
    entries.push({
      id: notice._id,
      text: notice.message,
      at: notice.createdAt,
      time: timeOf(notice.createdAt, now),
      isNews: notice.counts,
      address: notice.place && pageOf(notice.place),
    })
  }
  return days
}

function dayOf(at: string, now: Date): string {
  const day = formatDate(at)
  if (day === formatDate(now.toISOString())) return texts.today
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  return day === formatDate(yesterday.toISOString()) ? texts.yesterday : day
}

/** How long ago for the last hours, the time of that day for anything older. */
function timeOf(at: string, now: Date): string {
  const age = now.getTime() - Date.parse(at)
  return age < 12 * hourMs ? texts.ago(formatSpan(age)) : formatTime(at)
}

type BellEntry = {
  id: string
  text: string
  at: string
  /** Shown beside it: "12 min ago", "3:04 PM". */
  time: string
  isNews: boolean
  /** Of the page that it leads to, if it leads somewhere. */
  address: string | null
}
type BellDay = { name: string; entries: BellEntry[] }

type BellProps = {
  title: string
  empty: string
  unread: number
  days: readonly BellDay[]
  onOpenEntry: (id: string) => void
  onReadAll: () => void
  /** Absent where nothing is older. */
  onOlder: (() => unknown) | undefined
}

/** The bell in the header with its unread count, and the panel under it. */
function Bell({ title, empty, unread, days, onOpenEntry, onReadAll, onOlder }: BellProps) {
  const [isOpen, setOpen] = useState(false)
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const name = unread > 0 ? `${title}, ${shared.unread(unread)}` : title
  const openEntry = (entry: BellEntry) => {
    if (entry.address !== null) setOpen(false)
    onOpenEntry(entry.id)
  }
  const readAll = () => {
    onReadAll()
    // The button goes with what it was for.
    heading.current?.focus()
  }
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
          <IconBell size={22} stroke={1.5} />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-labelledby={titleId}>
        <div className={classes.head}>
          <h2 className={classes.title} id={titleId} ref={heading} tabIndex={-1} data-autofocus>
            {title}
          </h2>
          {unread > 0 && days.length > 0 && (
            <button type="button" className={classes.readAll} onClick={readAll}>
              {texts.markAllRead}
            </button>
          )}
        </div>
        {days.length === 0 && <p className={classes.empty}>{empty}</p>}
        <div className={classes.days}>
          {days.map((day) => (
            <section key={day.name} aria-label={day.name}>
              <h3 className={classes.day}>{day.name}</h3>
              <ul className={classes.list}>
                {day.entries.map((entry) => (
                  <li key={entry.id}>
                    <Entry entry={entry} onOpen={() => openEntry(entry)} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {onOlder && (
            <div className={classes.older}>
              <WorkButton variant="subtle" size="sm" onClick={onOlder} working={shared.loading}>
                {texts.older}
              </WorkButton>
            </div>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** A link where it leads somewhere, so that it can be opened in another tab; what leads nowhere is only read. */
function Entry({ entry, onOpen }: { entry: BellEntry; onOpen: () => void }) {
  const face = { className: classes.entry, 'data-news': entry.isNews }
  const words = (
    <>
      {entry.isNews && <VisuallyHidden>{shared.newEntry}: </VisuallyHidden>}
      <span>{entry.text}</span>
      <time dateTime={entry.at} className={classes.time}>
        {entry.time}
      </time>
    </>
  )
  if (entry.address !== null) {
    const click = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      onOpen()
    }
    return (
      <a href={entry.address} onClick={click} {...face}>
        {words}
      </a>
    )
  }
  if (!entry.isNews) return <div {...face}>{words}</div>
  return (
    <button type="button" onClick={onOpen} {...face}>
      {words}
    </button>
  )
}
