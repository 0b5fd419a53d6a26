import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { hiddenLabels } from './hidden-labels.ts'
import { findOverflow, findOverflowOfLongWords, findOversizedBars } from './overflow.ts'
import { collectTextStyles } from './text-styles.ts'

const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }
const minimal = { width: 320, height: 568 }
/** A window of 1280 by 1024 px at 400% zoom. */
const zoomed = { width: 320, height: 256 }

/** Set by `npm run test:full`, which checks several sizes and both color schemes instead of one. */
const isFull = process.env.TEST_FULL === '1'

/** Returns accessibility and layout faults of the current page. */
export async function findFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  const addFaults = (width: number, scheme: string, found: string[]) =>
    faults.push(...found.map((fault) => `${width} px, ${scheme}: ${fault}`))
  // Axe is half a megabyte, so it is loaded once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const size of isFull ? [wide, narrow] : [narrow]) {
    await page.setViewportSize(size)
    const inLight = await setScheme(page, 'light')
    addFaults(size.width, 'light', [
      ...(await violations(page, inLight)),
      ...(await persistentFaults(() => findOverflow(page))),
      ...(await persistentFaults(() => findOverflowOfLongWords(page))),
    ])
    if (!isFull) continue
    // Only contrast can differ in the dark scheme.
    const inDark = await setScheme(page, 'dark')
    if (inDark.length > 0) addFaults(size.width, 'dark', await violations(page, inDark, ['color-contrast']))
  }
  if (isFull) {
    await page.setViewportSize(zoomed)
    addFaults(zoomed.width, '400 %', await findOversizedBars(page))
    await page.setViewportSize(minimal)
    addFaults(minimal.width, 'dark', [
      ...(await persistentFaults(() => findOverflow(page))),
      ...(await hiddenLabels(page)),
    ])
  }
  await page.setViewportSize(wide)
  return faults
}

/** Floating elements, such as the notification panel, follow a resize some frames later. */
async function persistentFaults(find: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + 3000
  let found = await find()
  while (found.length > 0 && Date.now() < until) {
    await new Promise((go) => setTimeout(go, 100))
    found = await find()
  }
  return found
}

/** Contrast is the most expensive check, and its result is the same for all texts of one look. */
const analyzedLooks = new Set<string>()

/** Sets the color scheme and returns the looks that were not analyzed yet. */
async function setScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  const looks = await page.evaluate(collectTextStyles)
  return looks.filter((look) => !analyzedLooks.has(look))
}

async function violations(page: Page, looks: string[], only?: string[]): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(only ? { runOnly: only } : { rules: { 'color-contrast': { enabled: looks.length > 0 } } }),
  }
  const found = await page.evaluate(async (options) => {
    const { violations } = await window.axe.run(document, options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    )
  }, options)
  // A look with a fault is analyzed again, so that every page with it reports the fault.
  if (!found.some((fault) => fault.startsWith('color-contrast')))
    for (const look of looks) analyzedLooks.add(look)
  return found
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
