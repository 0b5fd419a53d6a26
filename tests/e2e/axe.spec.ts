import { accountTexts } from '@keyturn/contract/accounts/texts.ts'
import { isRenderedPage } from '@keyturn/contract/shared/pages.ts'
import type { Page } from '@playwright/test'
import { stopPath } from '../../server/platform/mail/stop-links.ts'
import { findFaults } from './support/page/find-faults.ts'
import { expectHeading } from './support/page/heading.ts'
import { expect, type Profile, test } from './support/test.ts'
import { openView } from './views/open-view.ts'
import type { View } from './views/view.ts'
import { readOnlyViews } from './views/views.ts'
import { openWorld, type World } from './views/world.ts'

/** Views per test: small enough to balance the workers, large enough to open few browsers per person. */
const size = 30
const parts = Array.from({ length: Math.ceil(readOnlyViews.length / size) }, (_, part) =>
  readOnlyViews.slice(part * size, (part + 1) * size),
)

// R-everywhere-30, R-everywhere-38
test.describe('every view is accessible:', () => {
  // Some hundred analyses of a page take a while on a busy machine.
  test.setTimeout(600_000)

  // R-accounts-25, R-accounts-34, R-deals-51
  for (const views of parts)
    test(`${views[0]?.name} to ${views.at(-1)?.name}`, async ({ product, openProfile }) => {
      const world = await openWorld(product, openProfile)
      const profileOf = rememberingProfiles(world)
      for (const view of views) await look(view, await profileOf(view), world)
    })
})

async function look(view: View, { context, watch }: Pick<Profile, 'context' | 'watch'>, world: World) {
  watch.allowErrors(...(view.allowedErrors ?? []))
  watch.allowFailedRequests(view.before !== undefined)
  // A failure caused on purpose would persist in a reused page.
  const kept = view.before ? undefined : context.pages()[0]
  const page = kept ?? (await context.newPage())
  await test.step(view.name, async () => {
    await openView(view, page, world, (at) => open(page, at))
    if (!view.isLoading) await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect.soft(await findFaults(page), view.name).toEqual([])
  })
  if (page !== kept) await page.close()
}

/**
 * Loads the app once and then goes from view to view as a link does, because loading is most of what a look costs. A
 * screen without any state lies between two views, so that no dialog stays open and no form filled in. A page that the
 * server renders is a document of its own.
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
  return isRenderedPage(pathname) || pathname === stopPath
}

/** One browser per person; somebody who registers on the way gets a new one each time. */
function rememberingProfiles(world: World) {
  const known = new Map<string, ReturnType<World['openProfile']>>()
  return (view: View) => {
    if (view.as === 'newcomer') return world.openProfile(view)
    const key = view.as
    const profile = known.get(key) ?? world.openProfile(view)
    known.set(key, profile)
    return profile
  }
}
