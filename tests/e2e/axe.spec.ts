import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { isServerRenderedPage } from '@keyturn/contract/shared/pages.ts'
import type { Page } from '@playwright/test'
import { unsubscribePath } from '../../server/platform/mail/unsubscribe-link.ts'
import { findFaults } from './support/page/find-faults.ts'
import { expectHeading } from './support/page/heading.ts'
import { expect, type Profile, test } from './support/test.ts'
import { openView } from './views/open-view.ts'
import type { View } from './views/view.ts'
import { readOnlyViews } from './views/views.ts'
import { openWorld, type World } from './views/world.ts'

/**
 * Views per test. Fewer views balance the workers better; more views open fewer browsers per
 * person.
 */
const size = 30
const parts = Array.from({ length: Math.ceil(readOnlyViews.length / size) }, (_, part) =>
  readOnlyViews.slice(part * size, (part + 1) * size),
)

// R-everywhere-30, R-everywhere-38
test.describe('has no accessibility or layout faults in views', () => {
  test.setTimeout(600_000)

  // R-accounts-25, R-accounts-34, R-deals-51
  for (const views of parts)
    test(`${views[0]?.name} to ${views.at(-1)?.name}`, async ({ product, openProfile }) => {
      const world = await openWorld(product, openProfile)
      const profileOf = cacheProfiles(world)
      for (const view of views) await checkView(view, await profileOf(view), world)
    })
})

async function checkView(view: View, { context, watch }: Pick<Profile, 'context' | 'watch'>, world: World) {
  watch.allowErrors(...(view.allowedErrors ?? []))
  watch.allowFailedRequests(view.before !== undefined)
  // A simulated failure would persist in a reused page.
  const reused = view.before ? undefined : context.pages()[0]
  const page = reused ?? (await context.newPage())
  await test.step(view.name, async () => {
    await openView(view, page, world, (at) => open(page, at))
    if (!view.isLoading) await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect.soft(await findFaults(page), view.name).toEqual([])
  })
  if (page !== reused) await page.close()
}

/**
 * Loads the app once and navigates by links, because loading takes most of the time. A screen
 * without state between two views closes dialogs and empties forms. Server-rendered pages are
 * separate documents.
 */
async function open(page: Page, at: string) {
  if (page.url() === 'about:blank' || isRendered(page.url()) || isRendered(at)) return page.goto(at)
  const go = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to)
  await go('/password/reset')
  await expectHeading(page, accountTexts.reset.invalidTitle)
  return go(at)
}

const isRendered = (address: string) => {
  const { pathname } = new URL(address, 'http://page')
  return isServerRenderedPage(pathname) || pathname === unsubscribePath
}

/** Opens one browser per person, and one for each newcomer. */
function cacheProfiles(world: World) {
  const profiles = new Map<string, ReturnType<World['openProfile']>>()
  return (view: View) => {
    if (view.as === 'newcomer') return world.openProfile(view)
    const key = view.as
    const profile = profiles.get(key) ?? world.openProfile(view)
    profiles.set(key, profile)
    return profile
  }
}
