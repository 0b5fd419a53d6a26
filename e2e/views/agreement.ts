import { termSheetTexts as termSheet } from '@keyturn/contract/deals/agreement-texts.ts'
import { drawingTexts } from '@keyturn/contract/deals/drawing-texts.ts'
import type { Page } from '@playwright/test'
import type { Name } from '../../server/seed/people.ts'
import { fill, press, text, type View } from './view.ts'

/** The Vehicle Sale Agreement as one side signs it; nothing is sent. */
export function agreementViews(name: string, as: Name, at: View['at'], signer: string): View[] {
  const open = async (page: Page) => {
    await press(page, termSheet.signAgreement)
    await page.getByRole('dialog').waitFor()
  }
  const sign = async (page: Page, by: string, signature: string) => {
    await open(page)
    await fill(page.getByRole('dialog'), { [termSheet.name]: by, [termSheet.signature]: signature })
  }
  return [
    { name: `${name}-empty`, as, at, act: open, shows: (page) => page.getByRole('dialog') },
    {
      name: `${name}-filled`,
      as,
      at,
      act: (page) => sign(page, signer, signer),
      shows: (page) => page.getByRole('dialog'),
    },
    {
      name: `${name}-drawn`,
      as,
      at,
      act: async (page) => {
        await sign(page, signer, signer)
        await press(page, drawingTexts.open)
        await drawStrokes(page)
      },
      shows: (page) => page.getByRole('img', { name: drawingTexts.drawn(signer) }),
    },
    {
      name: `${name}-missing`,
      as,
      at,
      act: async (page) => {
        await open(page)
        await press(page, termSheet.agree)
      },
      shows: text(termSheet.missing),
    },
    {
      name: `${name}-other-name`,
      as,
      at,
      act: async (page) => {
        await sign(page, 'Chris Whitfield-Marsh', 'Chris Whitfield-Marsh')
        await press(page, termSheet.agree)
      },
      shows: text(/^Your account is in the name of/),
    },
  ]
}

/** A wave and a dash, with the mouse. */
export async function drawStrokes(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: drawingTexts.area })
  await pad.scrollIntoViewIfNeeded()
  const box = await pad.boundingBox()
  if (!box) throw new Error('there is no pad to draw on')
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
