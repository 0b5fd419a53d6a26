import { markRead } from '@keyturn/contract/notifications/endpoints.ts'
import { send } from '../../../api/send.ts'
import type { OpenPlace } from '../../../pwa/push-handlers.ts'

/** A person has tapped the news that this browser showed: the page goes there, and the bell counts it no more. */
export function onPushClick(goTo: (path: string) => void): void {
  // Absent on a page that is neither https nor of this machine.
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }: MessageEvent<Partial<OpenPlace> | null>) => {
      if (data?.type !== 'OPEN_PLACE' || !data.path) return
      if (data.path !== `${location.pathname}${location.search}`) goTo(data.path)
      // Nothing depends on it, as with a click in the bell (R-notifications-7).
      if (data.notice)
        send(markRead, { params: { id: data.notice } }).catch((refusal) => console.error(refusal))
    },
  )
}
