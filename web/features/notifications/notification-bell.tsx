import type { Notification } from '@keyturn/contract/notifications/endpoints.ts'
import { pathOfPlace } from '@keyturn/contract/notifications/place.ts'
import { notificationTexts as texts } from '@keyturn/contract/notifications/texts.ts'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatTime,
  hourMs,
} from '@keyturn/contract/shared/dates.ts'
import { ActionIcon, Popover, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, useId, useRef, useState } from 'react'
import { useUser } from '../../auth/session.tsx'
import { announce } from '../../components/feedback/notice.tsx'
import { WorkButton } from '../../components/feedback/work-button.tsx'
import { IconBell } from '../../components/icons.tsx'
import { texts as shared } from '../../components/texts.ts'
import classes from './bell-panel.module.css'
import {
  notificationsQuery,
  ownNotificationsQuery,
  unreadQuery,
  useMarkAllRead,
  useMarkRead,
} from './queries.ts'

/** The button in the header, with its panel. Failed fetches are ignored (R-notifications-8). */
export function NotificationBell() {
  const list = useInfiniteQuery(notificationsQuery)
  const isWholesaler = useUser().userType === 'WHOLESALER'
  const { data: addressed = [] } = useQuery({ ...ownNotificationsQuery, enabled: isWholesaler })
  const { data: unread = 0 } = useQuery(unreadQuery)
  const navigate = useNavigate()
  const markRead = useMarkRead()
  const markAllRead = useMarkAllRead()
  const [isOpen, setOpen] = useState(false)
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = list.data?.pages.flatMap(({ rows }) => rows) ?? []
  const [newest] = shown
  const own = addressed.filter(({ counts }) => counts)
  const now = new Date()
  const open = (notice: Notification) => {
    if (notice.place) setOpen(false)
    void markRead(notice)
    if (notice.place) void navigate({ href: pathOfPlace(notice.place) })
  }
  const readAll = () => {
    if (newest) void markAllRead(newest)
    announce(texts.allRead)
    // The clicked button disappears.
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
        <ActionIcon
          aria-label={unread > 0 ? `${texts.title}, ${shared.unread(unread)}` : texts.title}
          className={classes.target}
          onClick={() => setOpen(!isOpen)}
        >
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
            {texts.title}
          </h2>
          {unread > 0 && newest && (
            <button type="button" className={classes.readAll} onClick={readAll}>
              {texts.markAllRead}
            </button>
          )}
        </div>
        {!newest && <p className={classes.empty}>{texts.empty}</p>}
        <div className={classes.days}>
          {sectionsOf(own, shown, now).map(({ name, notices }) => (
            <section key={name} aria-label={name}>
              <h3 className={classes.day}>{name}</h3>
              <ul className={classes.list}>
                {notices.map((notice) => (
                  <li key={notice._id}>
                    <Entry
                      notice={notice}
                      now={now}
                      isUnderDay={name !== texts.own}
                      onOpen={() => open(notice)}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ))}
          {list.hasNextPage && (
            <div className={classes.older}>
              <WorkButton
                variant="subtle"
                size="sm"
                onClick={() => list.fetchNextPage()}
                working={shared.loading}
              >
                {texts.older}
              </WorkButton>
            </div>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Groups notifications: first `own`, which wait for this wholesaler, then the others by day. */
function sectionsOf(own: readonly Notification[], shown: readonly Notification[], now: Date) {
  const days = new Map<string, Notification[]>(own.length > 0 ? [[texts.own, [...own]]] : [])
  for (const notice of shown) {
    if (own.some(({ _id }) => _id === notice._id)) continue
    const name = dayOf(notice.createdAt, now)
    days.set(name, [...(days.get(name) ?? []), notice])
  }
  return [...days].map(([name, notices]) => ({ name, notices }))
}

function dayOf(at: string, now: Date): string {
  const day = formatDate(at)
  if (day === formatDate(now.toISOString())) return texts.today
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  return day === formatDate(yesterday.toISOString()) ? texts.yesterday : day
}

function timeOf(at: string, now: Date, isUnderDay: boolean): string {
  const age = now.getTime() - Date.parse(at)
  if (age < 12 * hourMs) return texts.ago(formatDuration(age))
  return isUnderDay ? formatTime(at) : formatDateTime(at)
}

/** `isUnderDay`: the heading above names the day. */
type EntryProps = { notice: Notification; now: Date; isUnderDay: boolean; onOpen: () => void }

/** An entry with a target is a link, so that it can be opened in another tab. */
function Entry({ notice: { place, counts, message, createdAt }, now, isUnderDay, onOpen }: EntryProps) {
  const face = { className: classes.entry, 'data-news': counts }
  const words = (
    <>
      {counts && <VisuallyHidden>{shared.newEntry}: </VisuallyHidden>}
      <span>{message}</span>
      <time dateTime={createdAt} className={classes.time}>
        {timeOf(createdAt, now, isUnderDay)}
      </time>
    </>
  )
  if (place) {
    const click = (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      onOpen()
    }
    return (
      <a href={pathOfPlace(place)} onClick={click} {...face}>
        {words}
      </a>
    )
  }
  if (!counts) return <div {...face}>{words}</div>
  return (
    <button type="button" onClick={onOpen} {...face}>
      {words}
    </button>
  )
}
