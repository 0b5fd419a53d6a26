import { becomes } from './house/demo.ts'
import { comeBackToTab, whileAway } from './house/network.ts'
import { fillIn } from './house/person.ts'
import { expect, type Profile, test } from './house/test.ts'

const away = 'Keyturn cannot be reached. Please check your connection and try again.'

test('a form sent while the network is away keeps what was typed, and needs one click when it is back', async ({
  openProfile,
}) => {
  const nora = await openProfile()
  const { page } = nora

  await test.step('signing in', async () => {
    await page.goto('/login')
    await fillIn(page, { Email: 'nora@example.com', Password: 'silver-lantern-58' })
    await whileAway(nora, async () => {
      await page.getByRole('button', { name: 'Log In' }).click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue('nora@example.com')
      await expect(page.getByLabel('Password', { exact: true })).toHaveValue('silver-lantern-58')
    })
    await page.getByRole('button', { name: 'Log In' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
  })

  await test.step('adding a car', async () => {
    await page.goto('/car/input')
    await fillIn(page, {
      'Vehicle Identification Number (VIN)': '1FAFP404X1F123456',
      Make: 'Ford',
      Model: 'Mustang',
      Year: '2001',
      Mileage: '120000',
      Color: 'Red',
      Trim: 'GT',
      'A message for the buyer (optional)': 'New tyres, one small dent.',
    })
    await page.getByRole('button', { name: 'Add Car' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm Car Details' })
    await whileAway(nora, async () => {
      await confirm.getByRole('button', { name: 'Confirm' }).click()
      await expect(confirm.getByText(away)).toBeVisible()
      await expect(confirm).toContainText('New tyres, one small dent.')
    })
    // Now it arrives, and the answer is lost: the same click once more must not be told that the car is there already.
    await withoutAnswers(nora, '**/cars/input', async () => {
      await confirm.getByRole('button', { name: 'Confirm' }).click()
      await expect(confirm.getByText(away)).toBeVisible()
    })
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { name: 'Car Added Successfully!' })).toBeVisible()
    await page.getByRole('link', { name: 'Share with your buyer' }).click()
    await expect(page.getByText('New tyres, one small dent.')).toBeVisible()
  })

  await test.step('changing its price', async () => {
    await page.getByRole('button', { name: 'Edit price' }).click()
    await fillIn(page, { 'New asking price': '6100' })
    await whileAway(nora, async () => {
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(page.getByLabel('New asking price')).toHaveValue('6,100')
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The price has been updated successfully.')).toBeVisible()
    await expect(page.getByText('$6,100').first()).toBeVisible()
  })

  await test.step('editing the profile', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await fillIn(dialog, { 'Phone Number': '612-555-0140' })
    await whileAway(nora, async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(dialog.getByLabel('Phone Number')).toHaveValue('612-555-0140')
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('612-555-0140')).toBeVisible()
  })
})

test('the guided purchase goes on where the network left it, and no request is made twice', async ({
  openProfile,
}) => {
  const ofDaniel = await becomes('daniel', await openProfile())
  const omar = await openProfile()
  const { page } = omar
  await becomes('omar', omar)
  // What could not be saved is said on the page, and logged (2 s8).
  omar.watch.expects(/^Progress could not be saved: Offline/)

  await test.step('an answer', async () => {
    await page.goto(`/buyer?${ofDaniel('silverado')}`)
    await page.getByRole('radio', { name: 'No' }).check()
    await whileAway(omar, async () => {
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(page.getByRole('radio', { name: 'No' })).toBeChecked()
    })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.getByRole('heading', { name: 'Do You Need Financing?' })).toBeVisible()
    await page.getByRole('radio', { name: 'No' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
  })

  await test.step('the request, whose answer got lost on its way back', async () => {
    await fillIn(page, { 'Agreed price': '12300' })
    await withoutAnswers(omar, '**/cars/request', async () => {
      await page.getByRole('button', { name: 'Submit Request' }).click()
      // The page hears by another way that the request has arrived, and goes where it stands.
      await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    })
    await expect(page.getByText('Submitted a request')).toHaveCount(1)
  })

  await test.step('the signature', async () => {
    await page.getByRole('button', { name: 'Sign Agreement' }).click()
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: 'Omar Haddad', Signature: 'O. Haddad' })
    await whileAway(omar, async () => {
      await agreement.getByRole('button', { name: 'I Agree' }).click()
      await expect(agreement.getByText(away)).toBeVisible()
      await expect(agreement.getByLabel('Signature', { exact: true })).toHaveValue('O. Haddad')
    })
    await agreement.getByRole('button', { name: 'I Agree' }).click()
    await expect(page.getByRole('heading', { name: 'Your deal is complete!' })).toBeVisible()
    await expect(page.getByText('Signed as buyer')).toHaveCount(1)
  })
})

test('what was read stays, and nothing moves, while nothing new can be had', async ({ openProfile }) => {
  const maya = await openProfile()
  const link = await becomes('maya', maya)
  const { page } = maya
  const old = page.getByText('We could not bring this up to date.')
  const editPrice = page.getByRole('button', { name: 'Edit price' })

  await page.goto(`/car/seller?${link('camry')}`)
  await expect(page.getByRole('heading', { name: 'Car details' })).toBeVisible()
  const before = await editPrice.boundingBox()
  await whileAway(maya, async () => {
    await page.evaluate(comeBackToTab)
    await expect(old).toBeVisible()
    expect(await editPrice.boundingBox()).toEqual(before)
  })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(old).toBeHidden()
  expect(await editPrice.boundingBox()).toEqual(before)
})

/** Requests arrive and are done; what the server says of it never reaches the browser. */
async function withoutAnswers({ page, watch }: Profile, path: string, act: () => Promise<void>) {
  watch.mayLoseRequests(true)
  const lost = page.waitForEvent('requestfailed')
  await page.route(path, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await act()
  await lost
  await page.unroute(path)
  watch.mayLoseRequests(false)
}
