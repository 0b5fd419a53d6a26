import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }

/** What is wrong with what the page shows now, for any eye: at both widths, in both colour schemes. */
export async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const size of [wide, narrow]) {
    await page.setViewportSize(size)
    await dress(page, 'light')
    const note = (scheme: string, found: string[]) =>
      faults.push(...found.map((fault) => `${size.width} px, ${scheme}: ${fault}`))
    note('light', [...(await violations(page)), ...(await overflow(page))])
    await dress(page, 'dark')
    // The same document in other colours: nothing but contrast can differ.
    note('dark', await violations(page, ['color-contrast']))
  }
  await page.setViewportSize(wide)
  return faults
}

/** Colours in the middle of their change are nobody's. */
async function dress(page: Page, colorScheme: 'light' | 'dark') {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    // The page hears of it in one frame and changes in the next.
    await frame()
    await frame()
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(passing.map(({ finished }) => finished))
  })
}

async function violations(page: Page, only?: string[]): Promise<string[]> {
  // One document without frames needs no page of its own for its end; and of what is right nothing is told.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...(only && { runOnly: only }) })
  const found = await axe.analyze()
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** Nothing may stick out sideways. */
async function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const isWide = scrollWidth > clientWidth
    return isWide ? [`the page is ${scrollWidth} px wide in a window of ${clientWidth} px`] : []
  })
}
