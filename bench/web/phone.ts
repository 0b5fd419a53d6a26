import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

/**
 * Milliseconds, except the score (of 100) and the compressed kilobytes of script that the page
 * requested.
 */
export type Figures = {
  lcp: number
  fcp: number
  tbt: number
  cls: number
  score: number
  scriptKb: number
}

/**
 * Opens a page in a fresh browser, throttled by Lighthouse to a phone. A used browser would keep
 * the caches of an earlier page.
 */
export async function openOnPhone(url: string, chromePath: string, tries = 3): Promise<Figures> {
  const chrome = await launch({
    chromePath,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-quic', '--disable-background-networking'],
  })
  try {
    const run = await lighthouse(url, {
      port: chrome.port,
      logLevel: 'error',
      onlyCategories: ['performance'],
    })
    if (!run) throw new Error(`Lighthouse has said nothing of ${url}`)
    const { audits, categories, runtimeError } = run.lhr
    // Chromium's trace is missing occasionally.
    if (runtimeError && tries > 1) return await openOnPhone(url, chromePath, tries - 1)
    if (runtimeError) throw new Error(`Lighthouse at ${url}: ${runtimeError.message}`)
    const figure = (name: string) => audits[name]?.numericValue ?? Number.NaN
    return {
      lcp: figure('largest-contentful-paint'),
      fcp: figure('first-contentful-paint'),
      tbt: figure('total-blocking-time'),
      cls: figure('cumulative-layout-shift'),
      score: (categories.performance?.score ?? Number.NaN) * 100,
      scriptKb: scriptKbIn(audits['network-requests']?.details),
    }
  } finally {
    chrome.kill()
  }
}

type Asked = { resourceType?: string; transferSize?: number; priority?: string }

/**
 * Sums the page's scripts; prefetches for the next page have the lowest priority and do not count.
 */
function scriptKbIn(details: unknown): number {
  const { items = [] } = (details ?? {}) as { items?: Asked[] }
  return items
    .filter(({ resourceType, priority }) => resourceType === 'Script' && priority !== 'VeryLow')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize / 1000, 0)
}
