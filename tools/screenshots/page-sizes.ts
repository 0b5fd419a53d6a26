import type { Page } from '@playwright/test'

export type Size = {
  name: string
  width: number
  height: number
  scheme: 'light' | 'dark'
  media: 'screen' | 'print'
}

/** The sizes of each view's screenshots. */
export const sizes: readonly Size[] = [
  { name: '1280-light', width: 1280, height: 800, scheme: 'light', media: 'screen' },
  { name: '1280-dark', width: 1280, height: 800, scheme: 'dark', media: 'screen' },
  { name: '320-light', width: 320, height: 568, scheme: 'light', media: 'screen' },
  { name: '320-dark', width: 320, height: 568, scheme: 'dark', media: 'screen' },
  { name: '360-light', width: 360, height: 740, scheme: 'light', media: 'screen' },
  { name: '360-dark', width: 360, height: 740, scheme: 'dark', media: 'screen' },
]

/** US Letter, for views that are printed. */
export const paper: Size = { name: 'paper', width: 816, height: 1056, scheme: 'light', media: 'print' }

const stableMs = 150
const maxWaitMs = 6000

// Functions that run in the page must not contain named functions, which tsx would wrap in a helper
// that the page does not have.

/** Waits until fonts and content are loaded, nothing changes and transitions have ended. */
export async function waitUntilStable(page: Page, waits: boolean): Promise<void> {
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
      const transitions = document
        .getAnimations()
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
      await Promise.allSettled(transitions.map((one) => one.finished))
    },
    {
      waiting: waits ? 'nothing' : '.mantine-Skeleton-root, .mantine-Loader-root',
      quietMs: stableMs,
      atMostMs: maxWaitMs,
    },
  )
}

/** Chromium hangs in taller windows, such as for the whole of `/developers`. */
const maxHeight = 16_000

/**
 * Makes the window as tall as its content. Otherwise a dialog would be cut off, and elements fixed
 * to the window's edge would be in the middle of the picture.
 */
export async function fitContent(page: Page, size: Size): Promise<void> {
  const height = await page.evaluate((isPrint) => {
    window.scrollTo(0, 0)
    // In print a dialog is laid out like a page.
    const dialogs = isPrint ? [] : [...document.querySelectorAll('[role="dialog"]')]
    if (dialogs.length === 0) return document.documentElement.scrollHeight
    const elements = dialogs.flatMap((one) => [one, ...one.querySelectorAll('*')])
    const hidden = elements
      .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY))
      .map((one) => one.scrollHeight - one.clientHeight)
    const max = Math.max(0, ...hidden)
    // A dialog takes at most 90% of the window's height.
    return max > 0 ? Math.ceil((window.innerHeight + max) * 1.15) : 0
  }, size.media === 'print')
  if (height > size.height)
    await page.setViewportSize({ width: size.width, height: Math.min(height, maxHeight) })
}
