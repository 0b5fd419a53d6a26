import { type BrowserContext, type BrowserContextOptions, test as base, type Page } from '@playwright/test'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { administratorSignInErrors, type Watch, watchContext } from './page/watch-context.ts'
import { type RunningApp, startProduct } from './product.ts'
import { recordBrowserSecrets } from './secrets.ts'

export { expect } from '@playwright/test'

/** A browser profile with separate cookies and storage. */
export type Profile = { page: Page; context: BrowserContext; watch: Watch }

type Fixtures = {
  openProfile: (options?: BrowserContextOptions) => Promise<Profile>
  mailbox: Mailbox
}

export const test = base.extend<Fixtures, { settings: Record<string, string>; product: RunningApp }>({
  /** Additional settings of this file's product. */
  settings: [{}, { scope: 'worker', option: true }],

  product: [
    async ({ settings }, use) => {
      const product = await startProduct(settings)
      await use(product)
      const faults = product.faults()
      await product.stop()
      if (faults.length > 0) throw new Error(`the server logged errors:\n${faults.join('\n')}`)
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  baseURL: ({ product }, use) => use(product.origin),

  openProfile: async ({ browser, product }, use) => {
    const opened: (Profile & { recordCookies(): Promise<void> })[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: product.origin,
        // A service worker would answer requests that tests delay or drop. Only its own test
        // enables it.
        serviceWorkers: 'block',
        ...options,
      })
      const watch = watchContext(context)
      const { recordCookies } = recordBrowserSecrets(context)
      const page = await context.newPage()
      opened.push({ page, context, watch, recordCookies })
      return { page, context, watch }
    })
    const problems = opened.flatMap(({ watch }) => watch.problems)
    for (const { context, recordCookies } of opened) {
      await recordCookies()
      await context.close()
    }
    if (problems.length > 0) throw new Error(`problems in the browsers:\n${problems.join('\n')}`)
  },

  mailbox: async ({ openProfile, product }, use) => {
    const { page, watch } = await openProfile()
    watch.allowErrors(...administratorSignInErrors)
    await use(await openMailbox(page, product.administrator))
  },
})
