import type { Page } from '@playwright/test'

/** A tap, and the time until its first visible feedback. */
export type Tap = {
  label: string
  ms: number | null
  frames: number
  /** Requests made after the tap and completed before the feedback. */
  waitedFor: string[]
}

/**
 * Maximum delay of visible feedback after a tap. A slower machine gets the same number of frames,
 * provided that the feedback waits for no request.
 */
export const limit = { ms: 100, frames: 6 }

export const isSlow = ({ ms, frames, waitedFor }: Tap) =>
  ms === null || (ms > limit.ms && (frames > limit.frames || waitedFor.length > 0))

/**
 * Emulates a phone on a slow network: a 400 ms round trip, 1.6 Mbit/s, and a quarter of this CPU.
 */
export async function emulateSlowPhone(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

/**
 * Measures in the page the time from each tap to the first changed frame. Call it before the page
 * loads.
 */
export async function measureTaps(page: Page): Promise<() => Promise<Tap[]>> {
  await page.addInitScript(recordTaps)
  return () => page.evaluate(() => window.taps)
}

declare global {
  interface Window {
    taps: Tap[]
  }
}

function recordTaps() {
  const taps: Tap[] = []
  window.taps = taps
  const changes = {
    subtree: true,
    childList: true,
    characterData: true,
    // Style and class are not observed: they may change with the focus alone.
    attributeFilter: ['aria-busy', 'aria-expanded', 'aria-pressed', 'aria-checked', 'disabled', 'hidden'],
  }
  window.addEventListener(
    'click',
    (event) => {
      const at = event.timeStamp
      const tapped = event.target instanceof Element ? event.target.closest('a, button, label') : null
      if (!event.isTrusted || !tapped) return
      const tap: Tap = { label: tapped.textContent ?? '', ms: null, frames: 0, waitedFor: [] }
      taps.push(tap)
      let isShown = false
      const count = () => {
        tap.frames += 1
        if (!isShown) requestAnimationFrame(count)
      }
      requestAnimationFrame(count)
      const watcher = new MutationObserver(() => {
        watcher.disconnect()
        tap.waitedFor = performance
          .getEntriesByType('resource')
          .filter((one) => one instanceof PerformanceResourceTiming && one.startTime >= at)
          .map(({ name }) => name)
        isShown = true
        // The task after the next frame's callbacks starts when that frame is painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => {
            tap.ms = Math.round(performance.now() - at)
          }
          port2.postMessage(null)
        })
      })
      // The head is not observed, because it changes when code is requested.
      watcher.observe(document.body, changes)
    },
    true,
  )
}
