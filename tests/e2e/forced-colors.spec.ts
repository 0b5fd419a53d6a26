import { drawingTexts } from '@keyturn/contract/agreements/drawing-texts.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { signInAs } from './support/demo.ts'
import { fillIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { drawStrokes } from './views/draw-strokes.ts'

// R-everywhere-59
test('shows states in the high contrast of Windows', async ({ openProfile }) => {
  const [seller, buyer, wholesaler] = [
    await openProfile({ forcedColors: 'active' }),
    await openProfile({ forcedColors: 'active' }),
    await openProfile({ forcedColors: 'active' }),
  ]
  const linkTo = await signInAs('maya', seller)
  await signInAs('elena', buyer)
  await signInAs('victor', wholesaler)
  const { page } = seller

  await test.step('a switch, off and on', async () => {
    await wholesaler.page.goto('/wholesaler')
    const track = wholesaler.page.locator('.mantine-Switch-track').first()
    const before = await pixels(track)
    expect(spread(before)).toBeGreaterThan(visible)
    await track.click()
    await wholesaler.page.mouse.move(0, 0)
    expect(difference(before, await pixels(track))).toBeGreaterThan(visible)
  })

  await test.step('the chosen filter', async () => {
    const options = wholesaler.page.locator('label:has(input[type=radio])')
    const [chosen, other] = [options.and(wholesaler.page.locator(':has(:checked)')), options.last()]
    await expect(chosen).toHaveCount(1)
    expect(corner(await pixels(chosen.first()))).not.toEqual(corner(await pixels(other)))
  })

  await test.step('the view of the dashboard', async () => {
    await page.goto('/home?view=selling')
    const labels = page.locator('.mantine-SegmentedControl-label')
    await expect(labels).toHaveCount(2)
    const [first, second] = [await pixels(labels.nth(0)), await pixels(labels.nth(1))]
    expect(corner(first)).not.toEqual(corner(second))
  })

  await test.step('a chosen trim, and the answer to a question', async () => {
    await page.goto('/car/input')
    await fillIn(page, { [carTexts.add.vinLabel]: '5FNRL5H61EB075531' })
    const trims = page.getByRole('group', { name: carTexts.add.trimChoice }).getByRole('button')
    await trims.first().click()
    await page.mouse.move(0, 0)
    await expect(trims.first()).toHaveAttribute('aria-pressed', 'true')
    expect(corner(await pixels(trims.first()))).not.toEqual(corner(await pixels(trims.nth(1))))
    const no = page.getByRole('radio', { name: 'No', exact: true })
    const before = await pixels(no)
    await no.check()
    await page.mouse.move(0, 0)
    expect(difference(before, await pixels(no))).toBeGreaterThan(visible)
  })

  await test.step('progress and the QR code', async () => {
    await page.goto(`/car/seller?${linkTo('camry')}`)
    const bar = page.getByRole('progressbar')
    expect(spread(await pixels(bar))).toBeGreaterThan(visible)
    const code = await pixels(page.getByRole('img', { name: carTexts.share.qrLabel }))
    expect(corner(code), 'the quiet zone is white').toEqual([255, 255, 255])
    expect(spread(code)).toBeGreaterThan(200)
  })

  await test.step('a drawn signature, and the focus', async () => {
    await buyer.page.goto(`/buyer?${linkTo('cx5')}`)
    await buyer.page.getByRole('button', { name: termSheetTexts.signAgreement }).click()
    await buyer.page.getByRole('button', { name: drawingTexts.open }).click()
    const pad = buyer.page.locator('canvas')
    const before = await pixels(pad)
    await drawStrokes(buyer.page)
    expect(difference(before, await pixels(pad))).toBeGreaterThan(visible)
    await expectVisibleFocus(buyer.page)
  })
})

/** Of 255 levels of brightness. */
const visible = 100

type Pixels = { data: Buffer; width: number }

async function pixels(target: Locator): Promise<Pixels> {
  const { data, info } = await sharp(await target.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width }
}

/** The background beside the words, inside of a border. */
function corner({ data, width }: Pixels): number[] {
  const place = (5 * width + Math.min(8, width - 1)) * 3
  return [...data.subarray(place, place + 3)]
}

const spread = ({ data }: Pixels) =>
  data.reduce((most, level) => Math.max(most, level), 0) -
  data.reduce((least, level) => Math.min(least, level), 255)

const difference = (one: Pixels, other: Pixels) =>
  one.data.reduce((most, level, at) => Math.max(most, Math.abs(level - (other.data[at] ?? level))), 0)

async function expectVisibleFocus(page: Page) {
  for (let steps = 0; steps < 5; steps++) {
    await page.keyboard.press('Tab')
    const outline = await page.evaluate(() => {
      const focused = document.activeElement
      return [focused, focused?.closest('label'), focused?.nextElementSibling]
        .map((one) => (one ? getComputedStyle(one) : null))
        .some((look) => look && look.outlineStyle !== 'none' && Number.parseFloat(look.outlineWidth) > 0)
    })
    expect(
      outline,
      `focus at ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`,
    ).toBe(true)
  }
}
