import type { Locator, Page } from '@playwright/test'
import { becomes, type LinkTo } from './house/demo.ts'
import { comeBackToTab, whileAway } from './house/network.ts'
import { expect, test } from './house/test.ts'

type Place = {
  on: string
  path: (link: LinkTo) => string
  last: (page: Page) => Locator
  /** What loads after it. */
  latest?: (page: Page) => Locator
}

const places: Place[] = [
  {
    on: 'the dashboard',
    path: () => '/home?view=selling',
    last: (page) => page.getByRole('table').last().getByRole('button').last(),
    latest: (page) => page.getByRole('link', { name: /^Sign agreement/ }).first(),
  },
  {
    on: 'a form',
    path: () => '/car/input',
    last: (page) => page.getByRole('button', { name: 'Add Car', exact: true }),
  },
  {
    on: 'a page with a bar of its own',
    path: (link) => `/car/seller?${link('f150')}`,
    last: (page) => page.getByRole('button', { name: 'Timeline and messages' }).last(),
  },
]

for (const { on, path, last, latest = last } of places) {
  test(`on a phone the notice that the network is away covers nothing for good: ${on}`, {
    tag: '@full',
  }, async ({ openProfile }) => {
    const maya = await openProfile({ viewport: { width: 360, height: 640 } })
    const link = await becomes('maya', maya)
    const { page } = maya
    const old = page.getByText('We could not bring this up to date.')
    // The notice is about loaded data, so wait until there is some.
    const read = page.waitForResponse('**/notifications*')
    await page.goto(path(link))
    await read
    await expect(last(page)).toBeVisible()
    await expect(latest(page)).toBeVisible()
    await page.evaluate(toTheEnd)
    const before = await placeOf(last(page))
    let scrolled = 0
    await whileAway(maya, async () => {
      await page.evaluate(comeBackToTab)
      await expect(old).toBeVisible()
      expect(Math.abs((await placeOf(last(page))) - before), 'it comes, and nothing moves').toBeLessThan(2)
      await page.evaluate(toTheEnd)
      await expect.poll(() => isReached(last(page))).toBe(true)
      scrolled = await placeOf(last(page))
    })
    // The network is back, and the page asks again by itself.
    await expect(old).toBeHidden()
    expect(Math.abs((await placeOf(last(page))) - scrolled), 'it goes, and nothing moves').toBeLessThan(2)
  })
}

const toTheEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })

/** In pixels, of which the browser may round one away where it has scrolled to the end. */
const placeOf = (element: Locator) => element.evaluate((there) => there.getBoundingClientRect().top)

/** A tap on its center hits the element or something inside it. */
const isReached = (element: Locator) =>
  element.evaluate((there) => {
    const { x, y, width, height } = there.getBoundingClientRect()
    return there.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
