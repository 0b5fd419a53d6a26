import { markRead } from '@keyturn/contract/notifications/endpoints.ts'
import { send } from '../../../api/send.ts'
import type { OpenPlace } from '../../../pwa/push-handlers.ts'

/** Handles a click on a push notification: navigates to its target and marks it as read. */
export function onPushClick(navigateTo: (path: string) => void): void {
  // Undefined on pages that use neither https nor localhost.
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<Partial<OpenPlace> | null>) => {
      if (data?.type !== 'OPEN_PLACE' || !data.path) return
      if (data.path !== `${location.pathname}${location.search}`) navigateTo(data.path)
      // Failures are ignored, as for a click in the app (R-notifications-7).
      if (data.notice) send(markRead, { params: { id: data.notice } }).catch((error) => console.error(error))
    },
  )
}
