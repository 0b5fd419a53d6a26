import {
  listNotifications,
  markAllRead,
  markRead,
  type Notification,
  readUnreadCount,
} from '@keyturn/contract/notifications/endpoints.ts'
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../api/mutations/use-endpoint-mutation.ts'
import { pagedQuery } from '../../api/queries.ts'
import { send } from '../../api/send.ts'

const key = ['notifications']

/**
 * Newest first. Every page fetches this list, whose limit is more than the panel can show without
 * scrolling.
 */
export const notificationsQuery = pagedQuery(listNotifications, [...key, 'list'], { limit: 30 })

export const unreadQuery = queryOptions({
  queryKey: [...key, 'unread'],
  queryFn: async ({ signal }) => (await send(readUnreadCount, {}, { signal })).count,
})

/**
 * Shows the notification as read immediately. After a failure, the next fetch corrects that
 * (R-notifications-7).
 */
export function useMarkRead() {
  const client = useQueryClient()
  const mark = useEndpointMutation(markRead, { refresh: [key] })
  return async ({ _id, isRead, counts }: Notification): Promise<void> => {
    if (isRead) return
    await showRead(
      client,
      (shown) => shown._id === _id,
      (count) => (counts ? count - 1 : count),
    )
    await mark.act({ params: { id: _id } }).catch((error) => console.error(error))
  }
}

/** Marks all notifications up to the newest one shown as read (R-notifications-18). */
export function useMarkAllRead() {
  const client = useQueryClient()
  const mark = useEndpointMutation(markAllRead, { refresh: [key] })
  return async (newest: Notification): Promise<void> => {
    await showRead(
      client,
      () => true,
      () => 0,
    )
    await mark.act({ body: { upTo: newest._id } }).catch((error) => console.error(error))
  }
}

async function showRead(
  client: QueryClient,
  isMeant: (shown: Notification) => boolean,
  countAfter: (count: number) => number,
): Promise<void> {
  // Otherwise a pending fetch would overwrite the click with the old state.
  await client.cancelQueries({ queryKey: key })
  const read = (shown: Notification) => (isMeant(shown) ? { ...shown, isRead: true, counts: false } : shown)
  client.setQueryData(
    notificationsQuery.queryKey,
    (all) => all && { ...all, pages: all.pages.map((page) => ({ ...page, rows: page.rows.map(read) })) },
  )
  client.setQueryData(unreadQuery.queryKey, (count) => count && countAfter(count))
}
