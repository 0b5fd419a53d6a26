import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

/** Times in ms, layout shift, score out of 100, and compressed kilobytes of the page's scripts. */
export type PhoneMeasurements = {
  lcp: number
  fcp: number
  tbt: number
  cls: number
  score: number
  scriptKb: number
}

/** Opens a page in a new browser, without caches of earlier pages, throttled to a phone. */
export async function measureOnPhone(url: string, chromePath: string, tries = 3): Promise<PhoneMeasurements> {
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
    if (!run) throw new Error(`Lighthouse returned no result for ${url}`)
    const { audits, categories, runtimeError } = run.lhr
    // Chromium occasionally returns no trace.
    if (runtimeError && tries > 1) return await measureOnPhone(url, chromePath, tries - 1)
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

type NetworkRequest = { resourceType?: string; transferSize?: number; priority?: string }

/** Adds up the page's scripts, except prefetches, which have the lowest priority. */
function scriptKbIn(details: unknown): number {
  const { items = [] } = (details ?? {}) as { items?: NetworkRequest[] }
  return items
    .filter(({ resourceType, priority }) => resourceType === 'Script' && priority !== 'VeryLow')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize / 1000, 0)
}
