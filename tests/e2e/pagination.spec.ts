import type { Locator, Page } from '@playwright/test'
import { signInAs } from './support/demo.ts'
import { expect, test } from './support/test.ts'
import { withoutPreloadedResponses } from './views/view.ts'

test('a long list loads page by page, and says when it is complete', async ({ openProfile }) => {
  const victor = await openProfile()
  const { page } = victor
  await signInAs('victor', victor)

  await test.step('a table', async () => {
    await inPagesOf(1, page, '/progress/all')
    await page.goto('/listofcars')
    const rows = page.getByRole('table', { name: 'List Of Sold Cars' }).getByRole('row')
    // The first row is the header.
    await expect(rows).toHaveCount(2)
    await expectMore(page, rows)
  })

  await test.step('the requests of the wholesalers', async () => {
    await withoutPreloadedResponses(page)
    await inPagesOf(3, page, '/trades')
    await page.goto('/wholesaler')
    const rows = page.getByRole('list', { name: 'Trade requests' }).locator('[data-row]')
    await expect(rows).toHaveCount(3)
    await expectMore(page, rows)
  })
})

/** Simulates a list that does not fit into one response. */
const inPagesOf = (limit: number, page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    (route) => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', String(limit))
      return route.continue({ url: url.href })
    },
  )

async function expectMore(page: Page, rows: Locator) {
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

/** Rows that show a waiting time change their text by themselves, so they are told apart by `data-row`. */
const namesOf = (rows: (HTMLElement | SVGElement)[]) => rows.map((row) => row.dataset.row ?? row.textContent)
