import { formatDate, formatSpan, formatTime, hourMs } from '@keyturn/contract/kit/dates.ts'
import type { Notification } from '@keyturn/contract/notifications/calls.ts'
import { pageOf } from '@keyturn/contract/notifications/places.ts'
import { notificationTexts as texts } from '@keyturn/contract/notifications/texts.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { announce } from '../ui/feedback/notice.tsx'
import { Bell, type BellDay } from './bell-panel.tsx'
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
