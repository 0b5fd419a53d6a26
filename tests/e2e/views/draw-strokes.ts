import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import type { Page } from '@playwright/test'

/** Draws a wave and a dash with the mouse. */
export async function drawStrokes(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: drawingTexts.area })
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('The signature pad is not visible')
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  await page.mouse.move(...at(0.1, 0.6))
  await page.mouse.down()
  for (let step = 1; step <= 40; step++)
    await page.mouse.move(...at(0.1 + step * 0.018, 0.5 + 0.3 * Math.sin(step / 3)))
  await page.mouse.up()
  await page.mouse.move(...at(0.15, 0.85))
  await page.mouse.down()
  await page.mouse.move(...at(0.85, 0.75), { steps: 8 })
  await page.mouse.up()
}
