import type { BrowserContext, Page } from '@playwright/test'

// Delivers pushes to a browser in place of the push service, which tests cannot reach.

type Push = { id: string; body: string; path: string; tag: string; at: string; rings: boolean }

export async function deliverPush(page: Page, push: Omit<Push, 'at'>): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((found) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (one) found(one.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify({ ...push, at: new Date().toISOString() } satisfies Push),
  })
  await devtools.detach()
}

/** Simulates denied notification permission until the page reloads. */
export const denyNotifications = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied', configurable: true })
  })

export const shownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications()
    return shown.map(({ title, body, tag }) => ({ title, body, tag }))
  })

/** Simulates a tap on the newest notification through the service worker's own event. */
export async function tapNotification(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers()
  await worker?.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration } & EventTarget
    const [notification] = await scope.registration.getNotifications()
    const work: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>) => work.push(promise)
    scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
    await Promise.all(work)
  })
}

/**
 * Replaces the browser's push service. The subscription is stored in this process, because a
 * browser stores it outside of the page.
 */
export async function replacePushService(context: BrowserContext): Promise<{ endpoint(): string | null }> {
  let subscribed: { endpoint: string; key: string } | null = null
  await context.exposeFunction('subscribed', () => subscribed)
  await context.exposeFunction('setSubscribed', (value: typeof subscribed) => {
    subscribed = value
  })
  await context.addInitScript(() => {
    type Stored = { endpoint: string; key: string }
    const { subscribed, setSubscribed } = globalThis as unknown as {
      subscribed(): Promise<Stored | null>
      setSubscribed(value: Stored | null): Promise<void>
    }
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    const toSubscription = ({ endpoint, key }: Stored) => ({
      endpoint,
      options: { applicationServerKey: bytesOf(key).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }),
      unsubscribe: () => setSubscribed(null).then(() => true),
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => {
        const stored = await subscribed()
        return stored && toSubscription(stored)
      },
      subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
        const stored = { endpoint: `https://push.example/${crypto.randomUUID()}`, key }
        await setSubscribed(stored)
        return toSubscription(stored)
      },
    })
  })
  return { endpoint: () => subscribed?.endpoint ?? null }
}
