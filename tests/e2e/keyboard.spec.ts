import { answerButton, expectAnswered } from './support/deal.ts'
import { signInAs } from './support/demo.ts'
import { focusByKey } from './support/page/focus-by-key.ts'
import { aPerson } from './support/person.ts'
import { pressInDialog } from './support/press.ts'
import { registerAndVerify, signInAsAdministrator } from './support/setup.ts'
import { expect, test } from './support/test.ts'
import { waitForLookup } from './support/vin.ts'

// R-everywhere-30
test('buys a car using only the keyboard', async ({ openProfile }) => {
  const linkTo = await signInAs('maya', await openProfile())
  const omar = await openProfile()
  await signInAs('omar', omar)
  const { page } = omar

  await page.goto(`/car?${linkTo('camry')}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Maya Whitfield')
  await focusByKey(page.getByRole('link', { name: 'Buy This Car' }))
  await page.keyboard.press('Enter')

  await test.step('answers the questions', async () => {
    await expect(page.getByRole('heading', { name: 'Do You Have A Trade?' })).toBeVisible()
    await focusByKey(answerButton(page, 'Yes'))
    await focusByKey(answerButton(page, 'No'))
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { name: 'Do You Need Financing?' })).toBeFocused()
    await focusByKey(answerButton(page, 'No'))
    await page.keyboard.press('Space')
    await expect(page.getByRole('heading', { name: 'Add A Car' })).toBeFocused()
  })

  await test.step('goes back and forward', async () => {
    await focusByKey(page.getByRole('button', { name: 'Back', exact: true }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Do You Need Financing?' })).toBeFocused()
    await expectAnswered(page, 'No')
    await focusByKey(answerButton(page, 'No'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Add A Car' })).toBeFocused()
  })

  await test.step('focuses the missing field of the request', async () => {
    const price = page.getByLabel('Agreed price')
    await focusByKey(page.getByRole('button', { name: 'Submit Request' }))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Price is required')).toBeVisible()
    await expect(price).toBeFocused()
    await page.keyboard.type('17500')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeFocused()
  })

  await test.step('opens, closes and signs the agreement', async () => {
    const sign = page.getByRole('button', { name: 'Sign Agreement' })
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await focusByKey(sign)
    await page.keyboard.press('Enter')
    await expect(agreement).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(agreement).toBeHidden()
    await expect(sign).toBeFocused()
    await page.keyboard.press('Enter')
    const name = agreement.getByLabel('Name', { exact: true })
    await focusByKey(name)
    await expect(name).toHaveValue('Omar Haddad')
    await pressInDialog(name)
    await expect(agreement.getByRole('alert')).toHaveText(
      'Please enter both your Name and Signature before signing.',
    )
    await expect(agreement.getByLabel('Signature', { exact: true })).toBeFocused()
    await page.keyboard.type('O. Haddad')
    const agree = agreement.getByRole('button', { name: 'I Agree' })
    await focusByKey(agree)
    await pressInDialog(agree)
    await expect(agreement).toBeHidden()
    await expect(page.getByRole('heading', { name: 'You have signed.' })).toBeFocused()
  })

  await test.step('opens the menu in the header', async () => {
    const menu = page.getByRole('button', { name: 'My Account' })
    await focusByKey(menu, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const dashboard = page.getByRole('menuitem', { name: 'Purchase Dashboard' })
    await expect(dashboard).toBeVisible()
    await focusByKey(dashboard, 'ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Purchase Dashboard' })).toBeFocused()
  })
})

// R-everywhere-30
test('announces an administrator’s decision, and focuses its list', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const administrator = await openProfile()
  await signInAsAdministrator(administrator, product)
  const wes = aPerson('Wes', 'Holt')
  await registerAndVerify(await openProfile(), administrator, 'WHOLESALER', wes)
  const { page } = administrator
  await page.goto('/dev')
  const list = page.getByRole('heading', { name: 'Waiting for approval' })
  await page.getByRole('button', { name: `Decline ${wes.name}` }).press('Enter')
  await expect(page.getByText(`${wes.name} was declined.`)).toBeAttached()
  await expect(list).toBeFocused()
  await page.getByRole('button', { name: `Approve ${wes.name}` }).press('Enter')
  await expect(page.getByText(`${wes.name} was approved.`)).toBeAttached()
  await expect(list).toBeFocused()
})

// R-everywhere-58, R-deals-50
test('says why the entries of a menu rest, and closes it by Escape', async ({ openProfile }) => {
  const maya = await openProfile()
  await signInAs('maya', maya)
  const { page } = maya
  await page.goto('/home?view=selling')
  const more = page.getByRole('button', { name: /^More: .*F-150/ })
  const menu = page.getByRole('menu')
  await more.press('Enter')
  await expect(menu.getByText(/^You have confirmed a buyer/)).toBeVisible()
  for (const entry of await menu.getByRole('menuitem').all()) {
    await expect(entry).toBeDisabled()
    await expect(entry).toHaveAccessibleDescription(/^You have confirmed a buyer/)
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(more).toBeFocused()
})

// R-deals-101
test('opens the rows of a dashboard on a phone', async ({ openProfile }) => {
  const maya = await openProfile({ viewport: { width: 360, height: 740 } })
  await signInAs('maya', maya)
  const { page } = maya
  await page.goto('/home?view=selling')
  for (const row of [page.getByRole('row').nth(1), page.getByRole('row', { name: 'Outback' })]) {
    await focusByKey(row.getByRole('link'))
    await focusByKey(row.getByRole('button', { name: /^More: / }))
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle(/Outback/)
})

// R-everywhere-58, R-trades-9
test('says what an amount lacks before it can be offered', async ({ openProfile }) => {
  const victor = await openProfile()
  await signInAs('victor', victor)
  const { page } = victor
  await page.goto('/wholesaler')
  await page
    .getByRole('button', { name: /2014 Nissan Rogue/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Submit Offer' })
  const field = dialog.getByLabel('Offer amount')
  await expect(submit).toHaveAccessibleDescription('Enter an amount first.')
  const outOfRange = 'Enter an amount from 0.01 to 10,000,000, with at most two decimals.'
  const correct = 'Correct the amount first.'
  for (const [amount, fault, obstacle] of [
    ['0', outOfRange, outOfRange],
    ['12.345', 'Enter a number without commas, with at most two decimals.', correct],
    ['10000001', outOfRange, correct],
  ] as const) {
    await field.fill(amount)
    await expect(dialog.getByText(fault)).toBeVisible()
    await expect(submit).toBeDisabled()
    await expect(submit).toHaveAccessibleDescription(obstacle)
    await expect(dialog.getByText(obstacle)).toBeVisible()
    await field.press('Enter')
    await submit.press('Enter')
    await expect(dialog).toBeVisible()
  }
  await field.fill('')
  // The offer is not stored, because other tests need this trade.
  victor.watch.allowFailedRequests(true)
  await page.route('**/trades/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  )
  const sent = page.waitForRequest((request) => request.method() !== 'GET' && /trades/.test(request.url()))
  // A request that another test adds brings the button to the next one, which starts the guard again.
  await expect(dialog).not.toHaveAttribute('data-guarded')
  await page.keyboard.type('7250\n')
  await sent
})

// R-everywhere-60
test('takes back an announcement that is no longer true', async ({ openProfile }) => {
  const nora = await openProfile()
  await signInAs('nora', nora)
  const { page } = nora
  await page.goto('/car/input')
  const vin = page.getByLabel('Vehicle Identification Number (VIN)', { exact: true })
  const spoken = page.locator('[role=status][aria-live=polite]').last()
  await vin.fill('1HGCM82633A004352')
  await waitForLookup(nora)
  await expect(spoken).toHaveText(/^We found your car/)
  await vin.fill('1HGCM82633A00435')
  await expect(spoken).toHaveText('', { timeout: 2000 })
  await vin.fill('1HGCM82633A004352')
  await expect(spoken).toHaveText(/^We found your car/)
  await expect(spoken, 'after ten seconds').toHaveText('')
})
