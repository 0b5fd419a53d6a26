import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Notice } from '../components/feedback/notice.tsx'
import { FloatingPanel } from '../components/layout/floating-panel.tsx'
import { texts } from '../components/texts.ts'

/** Announces a newer version. The person decides when to switch to it (R-everywhere-41). */
export function NewVersion() {
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  useEffect(
    () => runWhenIdle(() => void registerServiceWorker((takeOver) => setTakeOver(() => takeOver))),
    [],
  )
  if (!takeOver) return null
  return (
    <FloatingPanel>
      <Notice
        kind="info"
        action={
          <Group gap={8}>
            <Button size="sm" onClick={takeOver}>
              {texts.reloadNow}
            </Button>
            <Button size="sm" variant="default" onClick={() => setTakeOver(null)}>
              {texts.later}
            </Button>
          </Group>
        }
      >
        {texts.newVersion}
      </Notice>
    </FloatingPanel>
  )
}

/**
 * Calls `act` when the page is idle after the first rendering. Safari lacks `requestIdleCallback`.
 */
function runWhenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const waiting = setTimeout(act, 3_000)
    return () => clearTimeout(waiting)
  }
  const waiting = requestIdleCallback(act)
  return () => cancelIdleCallback(waiting)
}

/** In ms. The browser itself makes the first check when the app starts. */
const updateCheckMs = 30 * 60_000

/**
 * Caches the app's files on this device for fast and offline starts, and reports a newer version.
 * The person decides when to switch, because a form may be half filled in.
 */
async function registerServiceWorker(onNewVersion: (takeOver: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Optional: without this code, the app works without a service worker.
  const workbox = await import('workbox-window').catch(() => undefined)
  if (!workbox) return
  const { messageSW, Workbox } = workbox
  const worker = new Workbox('/sw.js')
  /**
   * Whether the service worker caches this page's build. A page that comes from the server may be
   * newer.
   */
  const isOfThisBuild = (sw: ServiceWorker | undefined): Promise<boolean> =>
    sw ? messageSW(sw, { type: 'HAS', path: entryPath() }) : Promise.resolve(false)
  const takeOver = () => {
    worker.messageSkipWaiting()
    location.reload()
  }

  worker.addEventListener('waiting', async ({ sw }) => {
    if (await isOfThisBuild(sw)) worker.messageSkipWaiting()
    else onNewVersion(takeOver)
  })
  // Another tab has activated the new service worker.
  worker.addEventListener('controlling', async ({ sw }) => {
    if (!(await isOfThisBuild(sw))) onNewVersion(takeOver)
  })
  const registration = await worker.register().catch(() => undefined)
  if (!registration) return
  let checkedAt = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAt < updateCheckMs) return
    checkedAt = Date.now()
    worker.update().catch(() => undefined)
  })
}

const entryPath = (): string =>
  new URL(document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '', location.href)
    .pathname
