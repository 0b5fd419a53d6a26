import { expect, type Locator } from '@playwright/test'

/** Presses a key on a button of a dialog once the dialog takes presses (R-everywhere-56). */
export async function pressInDialog(target: Locator, key = 'Enter') {
  await expect(target).toBeVisible()
  await expect(target.page().locator('[data-guarded]')).toHaveCount(0)
  await target.press(key)
}
