import type { Locator, Page } from '@playwright/test'
import { signInAs } from './support/demo.ts'
import { expect, test } from './support/test.ts'
import { withoutPreloadedResponses } from './views/view.ts'

test('loads a long list page by page until it is complete', async ({ openProfile }) => {
  const victor = await openProfile()
  const { page } = victor
  await signInAs('victor', victor)

  await test.step('sold cars', async () => {
    await limitPages(1, page, '/progress/all')
    await page.goto('/listofcars')
    const rows = page.getByRole('table', { name: 'List Of Sold Cars' }).getByRole('row')
    // The first row is the header.
    await expect(rows).toHaveCount(2)
    await expectAllPages(page, rows)
  })

  await test.step('trade requests', async () => {
    await withoutPreloadedResponses(page)
    await limitPages(3, page, '/trades')
    await page.goto('/wholesaler')
    const rows = page.getByRole('list', { name: 'Trade requests' }).locator('[data-row]')
    await expect(rows).toHaveCount(3)
    await expectAllPages(page, rows)
  })
})

/** Limits the rows of each response, so that the list takes several. */
const limitPages = (limit: number, page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', String(limit))
      return route.continue({ url: url.href })
    },
  )

async function expectAllPages(page: Page, rows: Locator) {
  const more = page.getByRole('button', { name: 'Show more' })
  const before = await rows.evaluateAll(namesOf)
  for (let count = before.length; await more.isVisible(); count = await rows.count()) {
    await more.click()
    await expect.poll(() => rows.count()).toBeGreaterThan(count)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  const after = await rows.evaluateAll(namesOf)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(new Set(after).size).toBe(after.length)
  expect(after.length).toBeGreaterThan(before.length)
}

/** Identifies rows by `data-row`, because a row with a waiting time changes its text. */
const namesOf = (rows: (HTMLElement | SVGElement)[]) => rows.map((row) => row.dataset.row ?? row.textContent)
