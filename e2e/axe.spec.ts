import { faultsIn } from './house/eyes.ts'
import { expect, type Profile, test } from './house/test.ts'
import { reach } from './views/reach.ts'
import type { View } from './views/view.ts'
import { lasting } from './views/views.ts'
import { openWorld, type World } from './views/world.ts'

/** Small enough that no worker is left with most of the views. */
const size = 16
const parts = Array.from({ length: Math.ceil(lasting.length / size) }, (_, part) =>
  lasting.slice(part * size, (part + 1) * size),
)

// R-everywhere-30
test.describe('every view is accessible at both widths and in both color schemes:', () => {
  // Some sixty analyses of a page take a while on a busy machine.
  test.setTimeout(400_000)

  // R-accounts-25, R-accounts-34, R-deals-51
  for (const views of parts)
    test(`${views[0]?.name} to ${views.at(-1)?.name}`, async ({ product, openProfile }) => {
      const world = await openWorld(product, openProfile)
      const profileOf = rememberingProfiles(world)
      for (const view of views) await look(view, await profileOf(view), world)
    })
})

async function look(view: View, { context, watch }: Pick<Profile, 'context' | 'watch'>, world: World) {
  watch.expects(...(view.expects ?? []))
  watch.mayLoseRequests(view.before !== undefined)
  const page = await context.newPage()
  await test.step(view.name, async () => {
    await reach(view, page, world)
    if (!view.waits) await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect.soft(await faultsIn(page), view.name).toEqual([])
  })
  await page.close()
}

/** One browser per person; somebody who registers on the way gets a new one each time. */
function rememberingProfiles(world: World) {
  const known = new Map<string, ReturnType<World['openProfile']>>()
  return (view: View) => {
    if (view.as === 'newcomer') return world.openProfile(view)
    const key = `${view.as}, ${view.administers}`
    const profile = known.get(key) ?? world.openProfile(view)
    known.set(key, profile)
    return profile
  }
}
