import type { Page } from '@playwright/test'

export type Size = {
  name: string
  width: number
  height: number
  scheme: 'light' | 'dark'
  media: 'screen' | 'print'
}

/** Every view is taken in all of these. */
export const sizes: readonly Size[] = [
  { name: '1280-light', width: 1280, height: 800, scheme: 'light', media: 'screen' },
  { name: '1280-dark', width: 1280, height: 800, scheme: 'dark', media: 'screen' },
  { name: '320-light', width: 320, height: 568, scheme: 'light', media: 'screen' },
  { name: '320-dark', width: 320, height: 568, scheme: 'dark', media: 'screen' },
  { name: '360-light', width: 360, height: 740, scheme: 'light', media: 'screen' },
  { name: '360-dark', width: 360, height: 740, scheme: 'dark', media: 'screen' },
]

/** A letter-size sheet, for views that are printed. */
export const paper: Size = { name: 'paper', width: 816, height: 1056, scheme: 'light', media: 'print' }

const quietMs = 150
const atMostMs = 6000

// Functions that run in the page must not contain named functions: tsx would wrap those in a helper that the page does
// not have.

/** Waits until fonts are loaded, nothing else is loading, and nothing has changed for a moment. */
export async function settle(page: Page, waits: boolean): Promise<void> {
  await page.evaluate(
    async ({ waiting, quietMs, atMostMs }) => {
      await document.fonts.ready
      const end = performance.now() + atMostMs
      let changed = performance.now()
      const watcher = new MutationObserver(() => {
        changed = performance.now()
      })
      watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      while (
        performance.now() < end &&
        (document.querySelector(waiting) || performance.now() - changed < quietMs)
      )
        await new Promise((done) => setTimeout(done, 25))
      watcher.disconnect()
      // Color transitions must have ended.
      const passing = document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
      await Promise.allSettled(passing.map((one) => one.finished))
    },
    { waiting: waits ? 'nothing' : '.mantine-Skeleton-root, .mantine-Loader-root', quietMs, atMostMs },
  )
}

/**
 * Makes the window as tall as its content, because a dialog scrolls inside itself and elements fixed to the edge of the
 * window would otherwise appear in the middle of the picture.
 */
export async function showWhole(page: Page, size: Size): Promise<void> {
  const height = await page.evaluate((isPrint) => {
    window.scrollTo(0, 0)
    // In print a dialog is laid out like a page.
    const dialogs = isPrint ? [] : [...document.querySelectorAll('[role="dialog"]')]
    if (dialogs.length === 0) return document.documentElement.scrollHeight
    const inside = dialogs.flatMap((one) => [one, ...one.querySelectorAll('*')])
    const hidden = inside
      .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
      .map((one) => one.scrollHeight - one.clientHeight)
    const most = Math.max(0, ...hidden)
    // A dialog takes at most 90% of the window's height.
    return most > 0 ? Math.ceil((window.innerHeight + most) * 1.15) : 0
  }, size.media === 'print')
  if (height > size.height) await page.setViewportSize({ width: size.width, height })
}
