import { isAppPage } from '@keyturn/contract/shared/pages.ts'
import { enable as enableNavigationPreload } from 'workbox-navigation-preload'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import './push-handlers.ts'

// Caches only the files of one build. Responses and server-rendered pages are never cached, because
// they contain personal data (R-everywhere-41).

/** Written by the build (tools/service-worker.mjs). */
declare const keptFiles: { url: string; revision: string | null }[]
const files = keptFiles

precacheAndRoute(files, { cleanURLs: false, directoryIndex: '', ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()
// The request for the page starts while this worker is starting.
enableNavigationPreload()

// Pages come from the server. When it is unreachable, a page of the app starts from the cache and
// reports the problem itself.
registerRoute(
  new NavigationRoute(async ({ request, event, url }) => {
    try {
      return (await (event as WithPreload).preloadResponse) ?? (await fetch(request))
    } catch {
      const fallback = await matchPrecache(isAppPage(url.pathname) ? '/shell.html' : '/offline.html')
      return fallback ?? Response.error()
    }
  }),
)

addEventListener('message', (event) => {
  const { data, ports } = event as MessageEvent<WorkerMessage>
  if (data.type === 'SKIP_WAITING') void worker.skipWaiting()
  if (data.type === 'HAS') ports[0]?.postMessage(files.some(({ url }) => url === data.path))
})

type WorkerMessage = { type: 'SKIP_WAITING' } | { type: 'HAS'; path: string }
type WithPreload = { preloadResponse?: Promise<Response | undefined> }

/** TypeScript treats this file as part of a page. */
const worker = globalThis as unknown as { skipWaiting(): Promise<void> }
