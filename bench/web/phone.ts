import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

/** Milliseconds, but for the score (of 100) and the kilobytes of script, packed, that the page itself asked for. */
export type Figures = {
  lcp: number
  fcp: number
  tbt: number
  cls: number
  score: number
  scriptKb: number
}

/**
 * Opens a page in a browser that has seen none before and that Lighthouse slows down to what it takes for a phone: it would
 * leave what an earlier page has noted.
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
    // Chromium's own trace is missing now and then.
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

/** What is only fetched ahead, for the next page, has the lowest priority. */
function scriptKbIn(details: unknown): number {
  const { items = [] } = (details ?? {}) as { items?: Asked[] }
  return items
    .filter(({ resourceType, priority }) => resourceType === 'Script' && priority !== 'VeryLow')
    .reduce((sum, { transferSize = 0 }) => sum + transferSize / 1000, 0)
}
