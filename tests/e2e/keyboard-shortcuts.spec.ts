import { button } from './support/concurrent-changes.ts'
import { signInAs } from './support/demo.ts'
import { expect, test } from './support/test.ts'
import { createTrade } from './support/trade.ts'

test('handles trade requests with single-letter keys until they are turned off in this browser', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { victor } = await createTrade(openProfile, product, '1FTFW1ET1DFC20419')
  const { page } = victor
  const rows = page.locator('[data-row]')
  const offer = page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
  const keys = page.getByRole('switch', { name: 'Keys: j next, k previous, o offer' })
  await page.goto('/wholesaler')

  await test.step('moves between rows with j and k, also from a radio button', async () => {
    await expect(rows.nth(1)).toBeVisible()
    await page.getByRole('radio').first().focus()
    await page.keyboard.press('j')
    await expect(rows.nth(0)).toBeFocused()
    await page.keyboard.press('j')
    await expect(rows.nth(1)).toBeFocused()
    await page.keyboard.press('k')
    await expect(rows.nth(0)).toBeFocused()
  })

  await test.step('opens the offer with o without typing it, and types letters inside', async () => {
    await page.keyboard.press('o')
    await expect(offer).toBeVisible()
    const amount = offer.getByRole('textbox').first()
    await expect(amount).toBeFocused()
    await expect(amount).toHaveValue('')
    await page.keyboard.press('j')
    await expect(amount).toBeFocused()
    await button(offer, 'Cancel').click()
    await expect(rows.nth(0)).toBeFocused()
  })

  await test.step('ignores the keys once they are turned off, even after a reload', async () => {
    await keys.uncheck()
    await page.reload()
    await expect(rows.nth(1)).toBeVisible()
    await expect(keys).not.toBeChecked()
    await rows.nth(0).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await expect(rows.nth(0)).toBeFocused()
    await expect(offer).toBeHidden()
  })

  await test.step('hides the switch on a narrow screen and on a touch screen', async () => {
    await expect(keys).toBeVisible()
    await page.setViewportSize({ width: 360, height: 740 })
    await expect(keys).toBeHidden()
    const tablet = await openProfile({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 1024, height: 768 },
    })
    await signInAs('victor', tablet)
    await tablet.page.goto('/wholesaler')
    await expect(tablet.page.locator('[data-row]').nth(1)).toBeVisible()
    await expect(tablet.page.getByRole('switch')).toBeHidden()
  })
})
