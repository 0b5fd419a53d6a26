import { expect, type Page } from '@playwright/test'

export const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
