import type { Page, Route } from '@playwright/test'
import { becomes } from './house/demo.ts'
import { whileAway } from './house/network.ts'
import { fillIn } from './house/person.ts'
import { expect, test } from './house/test.ts'
import { looksUp, verifyVin } from './house/vin.ts'

const pickup = '1FTFW1ET9DFC10312'
const civic = '2HGFC2F75JH541190'
const odyssey = '5FNRL5H61EB075531'
const noCar = 'F10GLW48210'

const forms = [
  {
    of: 'a car',
    who: 'nora',
    path: '/car/input',
    label: 'Vehicle Identification Number (VIN)',
    submit: 'Add Car',
  },
  {
    of: 'a trade',
    who: 'omar',
    path: '/trade/input',
    label: 'Enter your Vehicle Identification Number (VIN)',
    submit: 'Submit trade Info',
  },
] as const

for (const { of, who, path, label, submit } of forms) {
  test(`a VIN look-up result is not applied to a VIN typed since, on the form of ${of}`, async ({
    openProfile,
  }) => {
    const profile = await openProfile()
    const { page, watch } = profile
    watch.expects(/^GET \/vin\/\w+ (422|503)$/)
    await becomes(who, profile)
    await page.goto(path)
    const make = page.getByLabel('Make', { exact: true })
    const verify = page.getByRole('button', { name: 'Verify VIN' })
    const found = page.getByText(/^We found your car/)

    await test.step('a car found too late', async () => {
      const answer = await holdBack(page, pickup)
      await fillIn(page, { [label]: pickup })
      await answer.asked
      await fillIn(page, { [label]: civic.slice(0, 16) })
      await answer.arrives()
      await expect(make).toHaveValue('')
      await expect(found.first()).toBeHidden()
    })

    await test.step('a VIN refused too late', async () => {
      const answer = await holdBack(page, noCar)
      await fillIn(page, { [label]: noCar })
      await verify.click()
      await answer.asked
      await fillIn(page, { [label]: pickup })
      await answer.arrives()
      await expect(page.getByText('Invalid VIN', { exact: true })).toBeHidden()
    })

    await test.step('the corrected VIN need not wait for the answer to the old one, nor for a click', async () => {
      const answer = await holdBack(page, noCar)
      await fillIn(page, { [label]: noCar })
      await verify.click()
      await answer.asked
      await page.getByRole('button', { name: submit }).click()
      await expect(page.getByText('Invalid mileage.')).toBeVisible()
      await fillIn(page, { [label]: civic })
      await looksUp(profile)
      await answer.arrives()
      await expect(make).toHaveValue('Honda')
      await expect(found.first()).toBeVisible()
      await expect(page.getByText('Invalid mileage.')).toBeVisible()
    })

    await test.step('a VIN that is changed asks about the details of the earlier one before they are sent', async () => {
      await fillIn(page, { [label]: pickup.slice(0, 16), Trim: 'XLT' })
      await expect(page.getByText('From the earlier VIN', { exact: true })).toHaveCount(3)
      await page.getByRole('button', { name: 'Keep them' }).click()
      await expect(page.getByText('From the earlier VIN', { exact: true })).toHaveCount(0)
      await expect(make).toHaveValue('Honda')
      await fillIn(page, { [label]: pickup.slice(0, 15) })
      await page.getByRole('button', { name: 'Clear them' }).click()
      await expect(make).toHaveValue('')
      await expect(page.getByLabel('Trim', { exact: true })).toHaveValue('XLT')
    })

    await test.step('Enter verifies, and a wrong check digit says one thing', async () => {
      await fillIn(page, { [label]: noCar })
      await page.getByLabel(label, { exact: true }).press('Enter')
      await expect(page.getByText('Invalid VIN', { exact: true })).toBeVisible()
      await fillIn(page, { [label]: '1HGZZZZZ03A004352' })
      const field = page.getByLabel(label, { exact: true })
      // The same sentence stands there before the answer, and a busy machine may not answer in time.
      await expect(async () => {
        await field.press('Enter')
        await expect(field).toHaveAttribute('aria-invalid', 'true')
        await expect(page.getByText('This VIN looks mistyped. Compare it with the title.')).toHaveCount(1)
      }).toPass({ timeout: 90_000 })
      await expect(page.getByText('Invalid VIN', { exact: true })).toBeHidden()
    })

    await test.step('a trim that the VIN leaves open is chosen', async () => {
      await fillIn(page, { [label]: odyssey })
      await expect(page.getByRole('button', { name: 'EXL-NAVI' })).toBeVisible()
      await page.getByRole('button', { name: 'EXL-NAVI' }).click()
      await expect(page.getByLabel('Trim', { exact: true })).toHaveValue('EXL-NAVI')
    })

    // R-everywhere-34
    await test.step('a number that may mean another is refused as it was typed', async () => {
      const mileage = page.getByLabel('Mileage', { exact: true })
      for (const typed of ['-100', '1e5', '6.500']) {
        await mileage.fill(typed)
        await mileage.blur()
        await expect(page.getByText('Invalid mileage.', { exact: true })).toBeVisible()
        await expect(page.getByText(/^Type it as a whole number/)).toBeVisible()
        await expect(mileage).toHaveValue(typed)
      }
      for (const typed of ['6500', '6,500', '$6500', '6 500']) {
        await mileage.fill(typed)
        await mileage.blur()
        await expect(mileage).toHaveValue('6,500')
        await expect(page.getByText('Invalid mileage.')).toBeHidden()
      }
    })
  })
}

// R-cars-14
test('without a network, the cause stands below what is said of the VIN', async ({ openProfile }) => {
  const profile = await openProfile()
  const { page } = profile
  await becomes('nora', profile)
  await page.goto('/car/input')
  await expect(page.getByLabel(forms[0].label, { exact: true })).toBeVisible()
  await whileAway(profile, async () => {
    await fillIn(page, { [forms[0].label]: civic })
    await expect(page.getByText('Invalid VIN', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Keyturn cannot be reached.* may still be right\.$/)).toBeVisible()
  })
  await verifyVin(profile)
})

for (const { what, who, path } of [
  { what: 'Add A Car', who: 'nora', path: '/car/input' },
  { what: 'Add A Trade', who: 'omar', path: '/trade/input' },
  { what: 'Enter VIN', who: 'omar', path: '/buyer' },
] as const) {
  test(`opening ${what} has the decoder started, and a page that was only opened by a stranger does not`, async ({
    openProfile,
  }) => {
    const profile = await openProfile()
    const { page } = profile
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/vin/warm')) asked.push(request.method())
    })
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Log In' })).toBeVisible()
    expect(asked).toEqual([])
    await becomes(who, profile)
    const warmed = page.waitForResponse('**/vin/warm')
    await page.goto(path)
    expect((await warmed).status()).toBe(200)
    expect(asked).toEqual(['POST'])
  })
}

/** Holds back the answer for one VIN until `arrives` is called; `asked` settles once the page waits for it. */
async function holdBack(page: Page, vin: string) {
  const url = `**/vin/${vin}`
  let hold = (_: Route) => {}
  const asked = new Promise<Route>((resolve) => {
    hold = resolve
  })
  await page.route(url, (route) => hold(route))
  return {
    asked,
    arrives: async () => {
      const answer = page.waitForResponse(url)
      await (await asked).continue()
      await (await answer).finished()
      await page.unroute(url)
      // Once the page is idle, it has processed the answer.
      await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
    },
  }
}
