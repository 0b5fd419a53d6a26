import { formatDate, formatSpan, hourMs } from '@keyturn/contract/kit/dates.ts'
import { notificationTexts as texts } from '@keyturn/contract/notifications/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Bell } from './bell-panel.tsx'
import { notificationsQuery, unreadQuery, useMarkRead } from './queries.ts'

/** The bell of the signed-in frame. Failed fetches are not reported (R-notifications-8). */
export function NotificationBell() {
  const { data: newest = [] } = useQuery(notificationsQuery)
  const { data: unread = 0 } = useQuery(unreadQuery)
  const markRead = useMarkRead()
  return (
    <Bell
      title={texts.title}
      empty={texts.empty}
      unread={unread}
      entries={newest.map(({ _id, message, createdAt, isRead }) => ({
        id: _id,
        text: message,
        at: createdAt,
        isRead,
      }))}
      timeOf={({ at }) => timeOf(at)}
      onOpenEntry={markRead}
    />
  )
}

/** How long ago for the last day, the date for anything older. */
function timeOf(at: string): string {
  const age = Date.now() - Date.parse(at)
  return age < 24 * hourMs ? texts.ago(formatSpan(age)) : formatDate(at)
}
