import { listNotifications, markRead, unreadCount } from '@keyturn/contract/notifications/calls.ts'
import { bellDepth } from '@keyturn/contract/notifications/rules.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useAct } from '../decide/act.ts'
import { send } from '../wire/send.ts'

/** As many as the bell counts. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal }) => send(listNotifications, { query: { limit: bellDepth } }, { signal }),
})

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: async ({ signal }) => (await send(unreadCount, {}, { signal })).count,
})

/** Shown as read at once; a failure is only logged, and the next fetch puts right what is shown (R-notifications-7). */
export function useMarkRead() {
  const client = useQueryClient()
  const mark = useAct(markRead, { refresh: [['notifications']] })
  return async (id: string): Promise<void> => {
    const isRead = (shown: { _id: string; isRead: boolean }) => shown._id === id && shown.isRead
    if (client.getQueryData(notificationsQuery.queryKey)?.some(isRead)) return
    // An answer that is still on its way knows nothing of this click.
    await client.cancelQueries({ queryKey: ['notifications'] })
    client.setQueryData(notificationsQuery.queryKey, (all) =>
      all?.map((shown) => (shown._id === id ? { ...shown, isRead: true } : shown)),
    )
    client.setQueryData(unreadQuery.queryKey, (count) => count && count - 1)
    await mark.act({ params: { id } }).catch((refusal) => console.error(refusal))
  }
}
