import { type BrowserContext, type BrowserContextOptions, test as base, type Page } from '@playwright/test'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { administratorSignInErrors, type Watch, watchContext } from './page/watch.ts'
import { type Product, startProduct } from './product.ts'
import { recordSecretsOf } from './secrets.ts'

export { expect } from '@playwright/test'

/** A browser profile that shares no cookies or storage with any other. */
export type Profile = { page: Page; context: BrowserContext; watch: Watch }

type Fixtures = {
  openProfile: (options?: BrowserContextOptions) => Promise<Profile>
  mailbox: Mailbox
}

export const test = base.extend<Fixtures, { settings: Record<string, string>; product: Product }>({
  /** Settings for this file's product, in addition to those of every journey. */
  settings: [{}, { scope: 'worker', option: true }],

  product: [
    async ({ settings }, use) => {
      const product = await startProduct(settings)
      await use(product)
      const faults = product.faults()
      await product.stop()
      if (faults.length > 0) throw new Error(`the server's log tells of faults:\n${faults.join('\n')}`)
    },
    { scope: 'worker', timeout: 90_000 },
  ],

  baseURL: ({ product }, use) => use(product.origin),

  openProfile: async ({ browser, product }, use) => {
    const opened: (Profile & { noteCookies(): Promise<void> })[] = []
    await use(async (options = {}) => {
      const context = await browser.newContext({
        baseURL: product.origin,
        // Tests delay or drop requests, which a service worker would answer from its cache. Only
        // its own test enables it.
        serviceWorkers: 'block',
        ...options,
      })
      const watch = watchContext(context)
      const { recordCookies: noteCookies } = recordSecretsOf(context)
      const page = await context.newPage()
      opened.push({ page, context, watch, noteCookies })
      return { page, context, watch }
    })
    const troubles = opened.flatMap(({ watch }) => watch.problems)
    for (const { context, noteCookies } of opened) {
      await noteCookies()
      await context.close()
    }
    if (troubles.length > 0) throw new Error(`the browsers noticed:\n${troubles.join('\n')}`)
  },

  mailbox: async ({ openProfile, product }, use) => {
    const { page, watch } = await openProfile()
    watch.allowErrors(...administratorSignInErrors)
    await use(await openMailbox(page, product.administrator))
  },
})
