import type { Page, Request } from '@playwright/test'
import { expect, type Profile } from './test.ts'

/** Dispatches the event of a tab that becomes visible again. The page then refetches. */
export const dispatchVisibilityChange = () =>
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))

/**
 * Waits until a request fails, because a browser that was just set to offline may still send one.
 */
export async function goOffline(page: Page) {
  await page.context().setOffline(true)
  await expect.poll(() => page.evaluate(canReachServer)).toBe(false)
}

export async function whileOffline({ context, page, watch }: Profile, work: () => Promise<void>) {
  watch.allowFailedRequests(true)
  await goOffline(page)
  await work()
  await context.setOffline(false)
  // Once a request succeeds again, every lost one has been reported. A page that retries on its own
  // may be reloading now.
  await expect.poll(() => page.evaluate(canReachServer).catch(() => false)).toBe(true)
  watch.allowFailedRequests(false)
}

const canReachServer = () =>
  fetch('/health/live').then(
    () => true,
    () => false,
  )

/** The server executes the requests, but their responses never reach the browser. */
export async function withoutResponses({ page, watch }: Profile, path: string, act: () => Promise<void>) {
  watch.allowFailedRequests(true)
  // Requests that the page itself aborts do not count as lost.
  const lost = page.waitForEvent('requestfailed', (one) => one.failure()?.errorText !== 'net::ERR_ABORTED')
  await page.route(path, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await act()
  await lost
  await page.unroute(path)
  watch.allowFailedRequests(false)
}

/** Lists open server event streams with their pages; tabs of one browser share a stream. */
export function trackStreams({ context }: Profile): Map<Request, Page> {
  const streams = new Map<Request, Page>()
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/events') streams.set(request, request.frame().page())
  })
  const remove = (request: Request) => void streams.delete(request)
  context.on('requestfinished', remove).on('requestfailed', remove)
  return streams
}
