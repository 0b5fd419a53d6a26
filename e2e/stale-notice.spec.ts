import type { Locator, Page } from '@playwright/test'
import { becomes } from './house/demo.ts'
import { comeBackToTab, whileAway } from './house/network.ts'
import { expect, test } from './house/test.ts'

test.use({ viewport: { width: 360, height: 640 } })

const pages = [
  {
    path: '/home?view=selling',
    last: (page: Page) => page.getByRole('table').last().getByRole('button').last(),
  },
  { path: '/car/input', last: (page: Page) => page.getByRole('button', { name: 'Add Car', exact: true }) },
]

for (const { path, last } of pages) {
  test(`on a phone nothing lies under what is said of a network that is away: ${path}`, async ({
    openProfile,
  }) => {
    const maya = await openProfile({ viewport: { width: 360, height: 640 } })
    await becomes('maya', maya)
    const { page } = maya
    const old = page.getByText('We could not bring this up to date.')
    await page.goto(path)
    await expect(last(page)).toBeVisible()
    await page.evaluate(toTheEnd)
    const before = await placeOf(last(page))
    await whileAway(maya, async () => {
      await page.evaluate(comeBackToTab)
      await expect(old).toBeVisible()
      expect(await placeOf(last(page)), 'it comes, and nothing moves').toEqual(before)
      await page.evaluate(toTheEnd)
      await expect.poll(() => isReached(last(page))).toBe(true)
    })
    const scrolled = await placeOf(last(page))
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(old).toBeHidden()
    expect(await placeOf(last(page)), 'it goes, and nothing moves').toEqual(scrolled)
  })
}

const toTheEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })

const placeOf = (element: Locator) => element.evaluate((there) => there.getBoundingClientRect().top)

/** A finger in its middle meets it, or what stands in it. */
const isReached = (element: Locator) =>
  element.evaluate((there) => {
    const { x, y, width, height } = there.getBoundingClientRect()
    return there.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
