import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }

/** Accessibility and layout faults of what the page shows now, at both widths and in both color schemes. */
export async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size)
    await dress(page, 'light')
    const note = (scheme: string, found: string[]) =>
      faults.push(...found.map((fault) => `${size.width} px, ${scheme}: ${fault}`))
    note('light', [...(await violations(page)), ...(await overflow(page))])
    await dress(page, 'dark')
    // The same document in other colors: only contrast can differ.
    note('dark', await violations(page, ['color-contrast']))
  }
  await page.setViewportSize(wide)
  return faults
}

/** Waits for color transitions to end: colors in between would fail the contrast check. */
async function dress(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    // The page is told in one frame and repaints in the next.
    await frame()
    await frame()
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
}

async function violations(page: Page, only?: string[]): Promise<string[]> {
  // Axe is half a megabyte: a page that already has it is not sent it again.
  const hasAxe = await page.evaluate(() => 'axe' in window)
  // Without frames, axe needs no extra page to finish; and only violations are of interest.
  const axe = new AxeBuilder({ page, ...(hasAxe && { axeSource: ';' }) })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...(only && { runOnly: only }) })
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Nothing may overflow sideways. */
async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const isWide = scrollWidth > clientWidth
    return isWide ? [`the page is ${scrollWidth} px wide in a window of ${clientWidth} px`] : []
  })
}
