import type { PushMessage } from '@keyturn/contract/notifications/push.ts'
import { isAppPage } from '@keyturn/contract/shared/pages.ts'

// The push handlers of the service worker. They send only one request, about a changed address;
// everything else is up to the page, which has the session.

/**
 * Tells a page to navigate. `notice` is the id of the notification in the app, or null if there is
 * none.
 */
export type OpenPlace = { type: 'OPEN_PLACE'; path: string; notice: string | null }

const title = 'Keyturn'

addEventListener('push', (event) => {
  const pushed = event as PushEvent
  pushed.waitUntil(showNotification(pushed.data))
})

addEventListener('notificationclick', (event) => {
  const clicked = event as ClickEvent
  clicked.notification.close()
  clicked.waitUntil(openPage(clicked.notification.data))
})

addEventListener('pushsubscriptionchange', (event) => {
  const changed = event as ChangeEvent
  changed.waitUntil(renewSubscription(changed.oldSubscription ?? null, changed.newSubscription ?? null))
})

/** Browsers require a visible notification for each push, whatever its content. */
async function showNotification(data: PushData | null): Promise<void> {
  const message = parseMessage(data)
  if (!message) return worker.registration.showNotification(title)
  const { body, path, tag, at, id, rings } = message
  const opens: OpenPlace = { type: 'OPEN_PLACE', path, notice: rings ? id : null }
  await worker.registration.showNotification(title, {
    body,
    tag,
    // A newer notification about a deal replaces the older one and alerts again.
    renotify: true,
    icon: '/icon-192.png',
    timestamp: Date.parse(at),
    data: opens,
  })
}

function parseMessage(data: PushData | null): PushMessage | null {
  try {
    return (data?.json() as PushMessage | undefined) ?? null
  } catch {
    return null
  }
}

/**
 * Opens the target, preferably in a tab that already shows it, then in any tab of the app, then in
 * a new one.
 */
async function openPage(data: OpenPlace | null): Promise<void> {
  const opens = data ?? { type: 'OPEN_PLACE', path: '/home', notice: null }
  const url = new URL(opens.path, location.origin)
  if (url.origin !== location.origin) return
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const ours = tabs.filter((tab) => isAppPage(new URL(tab.url).pathname))
  const tab = ours.find((one) => one.url === url.href) ?? ours.find(({ focused }) => focused) ?? ours[0]
  // A tab that cannot be brought to the front still navigates.
  const shown = tab ? await tab.focus().catch(() => tab) : await worker.clients.openWindow(url.href)
  shown?.postMessage(opens)
}

/**
 * If there is no session, the next page renews the subscription
 * (`notifications/push/use-device-registration.ts`).
 */
async function renewSubscription(
  before: PushSubscription | null,
  given: PushSubscription | null,
): Promise<void> {
  const key = before?.options.applicationServerKey
  if (!before || !key) return
  const { pushManager } = worker.registration
  const now = given ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const { endpoint, keys } = now.toJSON()
  await fetch('/notifications/push', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ endpoint, keys, before: before.endpoint }),
  }).catch(() => undefined)
}

/** TypeScript treats this file as part of a page, so the worker's types are declared here. */
type ExtendableEvent = { waitUntil(work: Promise<unknown>): void }
type PushData = { json(): unknown }
type PushEvent = Event & ExtendableEvent & { data: PushData | null }
type ClickEvent = Event & ExtendableEvent & { notification: { data: OpenPlace | null; close(): void } }
type ChangeEvent = Event &
  ExtendableEvent & { oldSubscription?: PushSubscription; newSubscription?: PushSubscription }
type Tab = { url: string; focused: boolean; focus(): Promise<Tab>; postMessage(message: OpenPlace): void }
const worker = globalThis as unknown as {
  registration: { pushManager: PushManager; showNotification(title: string, options?: object): Promise<void> }
  clients: { matchAll(wanted: object): Promise<Tab[]>; openWindow(url: string): Promise<Tab | null> }
}
