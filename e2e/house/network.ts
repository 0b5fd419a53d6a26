import { expect, type Profile } from './test.ts'

/** What a browser says when a tab is looked at again: its page asks for what is new. */
export const comeBackToTab = () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))

export async function whileAway({ context, page, watch }: Profile, act: () => Promise<void>) {
  watch.mayLoseRequests(true)
  await context.setOffline(true)
  // The browser is told at once and may still let a request through that follows on its heels.
  await expect.poll(() => page.evaluate(canAsk)).toBe(false)
  await act()
  await context.setOffline(false)
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
  const lost = page.waitForEvent('requestfailed')
  await page.route(path, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await act()
  await lost
  await page.unroute(path)
  watch.mayLoseRequests(false)
}
