import { expect, type Page } from '@playwright/test'

/** Opens a folded card; an open one stays open. */
export async function openCard(page: Page, title: string): Promise<void> {
  const card = page.locator('details').filter({ has: page.locator('summary', { hasText: title }) })
  await expect(async () => {
    if (!(await card.evaluate((details: HTMLDetailsElement) => details.open)))
      await card.locator('summary').first().click()
    await expect(card).toHaveAttribute('open', '', { timeout: 1000 })
  }).toPass()
}
