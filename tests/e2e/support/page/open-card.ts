import type { Page } from '@playwright/test'

/** Opens a folded card; an open one stays open. */
export const openCard = (page: Page, title: string) =>
  page.locator('details:not([open]) > summary', { hasText: title }).click()
