import { expect, type Locator, type Page } from '@playwright/test'

/** Presses the key until the target has the focus. Fails after 60 times. */
export async function focusByKey(target: Locator, key = 'Tab') {
  const page = target.page()
  await expect(target).toBeVisible()
  for (let steps = 0; steps < 60; steps++) {
    if (await hasFocus(target)) return expectVisibleFocus(page)
    await page.keyboard.press(key)
  }
  throw new Error(`${target} cannot be reached with ${key}; the focus is at ${await describeFocus(page)}`)
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

async function expectVisibleFocus(page: Page) {
  const isVisible = await page.evaluate(() => {
    const hasRing = (element: Element | null): boolean => {
      if (!element) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
    }
    const focused = document.activeElement
    return (
      hasRing(focused) ||
      hasRing(focused?.closest('label') ?? null) ||
      hasRing(focused?.parentElement ?? null)
    )
  })
  expect(isVisible, `visible focus at ${await describeFocus(page)}`).toBe(true)
}

const describeFocus = (page: Page) =>
  page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200) ?? 'nothing')
