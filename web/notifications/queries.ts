import { listNotifications, markRead, unreadCount } from '@keyturn/contract/notifications/calls.ts'
import { bellDepth } from '@keyturn/contract/notifications/rules.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useAct } from '../decide/act.ts'
import { send } from '../wire/send.ts'

export const notificationsQuery = queryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal }) => send(listNotifications, { query: { limit: bellDepth } }, { signal }),
})

export const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: async ({ signal }) => (await send(unreadCount, {}, { signal })).count,
})

/** Shown as read immediately; a failure is only logged, and the next fetch corrects the display (R-notifications-7). */
export function useMarkRead() {
  const client = useQueryClient()
  const mark = useAct(markRead, { refresh: [['notifications']] })
  return async (id: string): Promise<void> => {
    const isRead = (shown: { _id: string; isRead: boolean }) => shown._id === id && shown.isRead
    if (client.getQueryData(notificationsQuery.queryKey)?.some(isRead)) return
    // A fetch under way would overwrite the click with the old state.
    await client.cancelQueries({ queryKey: ['notifications'] })
    client.setQueryData(notificationsQuery.queryKey, (all) =>
      all?.map((shown) => (shown._id === id ? { ...shown, isRead: true } : shown)),
    )
    client.setQueryData(unreadQuery.queryKey, (count) => count && count - 1)
    await mark.act({ params: { id } }).catch((refusal) => console.error(refusal))
  }
}
