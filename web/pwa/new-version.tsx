import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Notice } from '../components/feedback/notice.tsx'
import { Floating } from '../components/layout/floating.tsx'
import { texts } from '../components/texts.ts'

/** Says that a newer version is there, and leaves it to the person when to go on with it (R-everywhere-41). */
export function NewVersion() {
  const [takeOver, setTakeOver] = useState<(() => void) | null>(null)
  useEffect(() => whenIdle(() => void keepApp((takeOver) => setTakeOver(() => takeOver))), [])
  if (!takeOver) return null
  return (
    <Floating>
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
    </Floating>
  )
}

/** What is on the screen comes first. Safari cannot say when it is idle. */
function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const waiting = setTimeout(act, 3_000)
    return () => clearTimeout(waiting)
  }
  const waiting = requestIdleCallback(act)
  return () => cancelIdleCallback(waiting)
}

/** The first look for a newer build is the browser's own, when the app starts. */
const everyMs = 30 * 60_000

/**
 * Keeps the app's files on this device, so that it starts quickly and without a network, and tells when a newer version
 * is there. It is taken over only when the person says so: a form may be half typed.
 */
async function keepApp(onNewVersion: (takeOver: () => void) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Nothing depends on it: where its code does not arrive, or it cannot be registered, the app works as it did.
  const workbox = await import('workbox-window').catch(() => undefined)
  if (!workbox) return
  const { messageSW, Workbox } = workbox
  const worker = new Workbox('/sw.js')
  /** A page that came from the server just now may be newer than what was kept before, and is then no old version. */
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
  // Another tab has taken it over.
  worker.addEventListener('controlling', async ({ sw }) => {
    if (!(await isOfThisBuild(sw))) onNewVersion(takeOver)
  })
  const registration = await worker.register().catch(() => undefined)
  if (!registration) return
  let looked = Date.now()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < everyMs) return
    looked = Date.now()
    worker.update().catch(() => undefined)
  })
}

const entryPath = (): string =>
  new URL(document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '', location.href)
    .pathname
