import type { Page } from '@playwright/test'
import { expect, type Profile } from './test.ts'

/** What a browser says when a tab is looked at again: its page asks for what is new. */
export const comeBackToTab = () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))

/** The browser is told at once and may still let a request through that follows on its heels: waits for the last. */
export async function goOffline(page: Page) {
  await page.context().setOffline(true)
  await expect.poll(() => page.evaluate(canAsk)).toBe(false)
}

export async function whileAway({ context, page, watch }: Profile, act: () => Promise<void>) {
  watch.mayLoseRequests(true)
  await goOffline(page)
  await act()
  await context.setOffline(false)
  // Whatever was lost is known by then.
  await expect.poll(() => page.evaluate(canAsk)).toBe(true)
  watch.mayLoseRequests(false)
}

const canAsk = () =>
  fetch('/health/live').then(
    () => true,
    () => false,
  )

/** Requests arrive and are done; what the server says of it never reaches the browser. */
export async function withoutAnswers({ page, watch }: Profile, path: string, act: () => Promise<void>) {
  watch.mayLoseRequests(true)
  // What the page itself gives up is not what got lost.
  const lost = page.waitForEvent('requestfailed', (one) => one.failure()?.errorText !== 'net::ERR_ABORTED')
  await page.route(path, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await act()
  await lost
  await page.unroute(path)
  watch.mayLoseRequests(false)
}
