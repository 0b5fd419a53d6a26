import { isAppPage } from '@keyturn/contract/shared/pages.ts'
import { enable as enableNavigationPreload } from 'workbox-navigation-preload'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import './push-handlers.ts'

// The files of one build, and nothing else: no answer of a call and no page of the server is ever kept, because they
// tell about a person (R-everywhere-41).

/** Written by the build (tools/service-worker.mjs). */
declare const keptFiles: { url: string; revision: string | null }[]
const files = keptFiles

precacheAndRoute(files, { cleanURLs: false, directoryIndex: '', ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()
// The server is asked while this starts.
enableNavigationPreload()

// Pages come from the server. Without it, an app's page starts from what is kept and says itself what is the matter.
registerRoute(
  new NavigationRoute(async ({ request, event, url }) => {
    try {
      return (await (event as WithPreload).preloadResponse) ?? (await fetch(request))
    } catch {
      const kept = await matchPrecache(isAppPage(url.pathname) ? '/shell.html' : '/offline.html')
      return kept ?? Response.error()
    }
  }),
)

addEventListener('message', (event) => {
  const { data, ports } = event as MessageEvent<Wish>
  if (data.type === 'SKIP_WAITING') void worker.skipWaiting()
  if (data.type === 'HAS') ports[0]?.postMessage(files.some(({ url }) => url === data.path))
})

type Wish = { type: 'SKIP_WAITING' } | { type: 'HAS'; path: string }
type WithPreload = { preloadResponse?: Promise<Response | undefined> }

/** TypeScript takes this for a page. */
const worker = globalThis as unknown as { skipWaiting(): Promise<void> }
