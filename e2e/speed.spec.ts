import { answer } from './house/deal.ts'
import { becomes } from './house/demo.ts'
import { expectHeading } from './house/heading.ts'
import { fillIn } from './house/person.ts'
import { isSlow, limit, measureTaps, onPoorPhone, type Tap } from './house/taps.ts'
import { expect, test } from './house/test.ts'

// R-everywhere-35
test('on a poor line every tap of a purchase shows a sign within 100 ms', async ({ openProfile }) => {
  const ofMaya = await becomes('maya', await openProfile())
  const grace = await openProfile({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await becomes('grace', grace)
  const { page } = grace
  const taps = await measureTaps(page)
  await onPoorPhone(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await page.goto(`/car?${ofMaya('camry')}`)
  await page.getByRole('link', { name: 'Buy This Car' }).click()
  await answer(page, 'Do You Have A Trade?', 'No')
  await expectHeading(page, 'Do You Need Financing?')
  await press('Back')
  await answer(page, 'Do You Have A Trade?', 'No')
  await answer(page, 'Do You Need Financing?', 'No')
  await fillIn(page, { 'Agreed price': '17500' })
  await press('Submit Request')
  await expectHeading(page, 'Read and sign')
  await press('Sign Agreement')
  const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  await fillIn(agreement, { Name: 'Grace Kim', Signature: 'G. Kim' })
  await agreement.getByRole('button', { name: 'I Agree' }).click()
  await expect(agreement).toBeHidden()
  await page.getByRole('link', { name: 'Keyturn' }).first().click()
  await expectHeading(page, 'Purchase Dashboard')
  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expectHeading(page, 'Your Profile')

  const found = await taps()
  process.stdout.write(`Until a tap shows a sign: ${found.map(inWords).join(', ')}\n`)
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(isSlow), `at most ${limit.ms} ms or ${limit.frames} frames`).toEqual([])
})

const inWords = ({ what, ms, frames }: Tap) => `${what.slice(0, 24)} ${ms} ms (frames: ${frames})`

// R-everywhere-35
test('the screen of a link in view is fetched before anybody taps it; a tap that has to wait shows a line', async ({
  openProfile,
}) => {
  const { page } = await openProfile()
  const code = /\/assets\/login-screen-.*\.js$/
  let arrive = () => {}
  const held = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(code, async (route) => {
    await held
    await route.continue()
  })
  const line = page.locator('[data-progress=navigation]')
  const asked = page.waitForRequest(code)

  await page.goto('/')
  await asked
  await expect(line).toBeHidden()
  await page.getByRole('link', { name: 'Log In' }).first().click()
  await expect(line).toBeVisible()
  arrive()
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(line).toBeHidden()
})
