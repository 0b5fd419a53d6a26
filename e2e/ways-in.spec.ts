import { demoPeople } from '../server/seed/people.ts'
import { becomes } from './house/demo.ts'
import { expectHeading } from './house/heading.ts'
import { signIn } from './house/person.ts'
import { expect, test } from './house/test.ts'

// R-accounts-24, R-everywhere-15, R-everywhere-28
test('a stranger is led to where they can sign in or register to go on', async ({ openProfile }) => {
  const maya = await openProfile()
  const civic = (await becomes('maya', maya))('civic')
  const { page } = await openProfile()

  await test.step('a protected page asks to sign in, or shows the car that its address names', async () => {
    await page.goto('/trade')
    await expectHeading(page, 'Log In')
    await page.goto(`/buyer?${civic}`)
    await expect(page).toHaveURL(`/buy-this-car?${civic}`)
    await expectHeading(page, 'Interested in buying this car')
  })

  await test.step('an address that is no page is the landing page', async () => {
    await page.goto('/no/such/page')
    await expect(page).toHaveURL('/')
  })

  await test.step('the landing page leads on to the car of its address', async () => {
    await page.goto(`/?${civic}`)
    await page.getByText('Buy a car', { exact: true }).first().click()
    for (const name of ['Log In', 'Get Started'])
      await expect(page.getByRole('link', { name, exact: true }).first()).toHaveAttribute(
        'href',
        `/buy-this-car?${civic}`,
      )
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Log In', exact: true }).first()).toHaveAttribute(
      'href',
      '/login',
    )
  })
})

// R-deals-4
test('a VIN alone leads to the purchase of the one car that is listed with it', async ({ openProfile }) => {
  const maya = await openProfile()
  const civic = (await becomes('maya', maya))('civic')
  const elena = await openProfile()
  await becomes('elena', elena)
  const vin = new URLSearchParams(civic).get('vin')
  await elena.page.goto(`/buyer?vin=${vin}`)
  await expect(elena.page).toHaveURL(`/buyer?${civic}`)
})

// R-accounts-26
test('the view is switched freely, and remembered on this device', async ({ openProfile }) => {
  const elena = await openProfile()
  await becomes('elena', elena)
  const { page } = elena
  await page.goto('/home')
  await expectHeading(page, 'Purchase Dashboard')
  await page.getByText('Seller View', { exact: true }).first().click()
  await expectHeading(page, 'Dashboard')
  await page.reload()
  await expectHeading(page, 'Dashboard')
})

// R-accounts-21
test('when the first request for the signed-in wholesaler fails, it is repeated, and they start at their own page', async ({
  openProfile,
}) => {
  const { page, watch } = await openProfile()
  watch.expects(/^GET \/user (401|503)$/)
  let mayFail = false
  await page.route('**/auth/login', async (route) => {
    const response = await route.fetch()
    mayFail = true
    await route.fulfill({ response })
  })
  await page.route('**/user', (route) => {
    const fails = mayFail
    mayFail = false
    return fails ? route.fulfill({ status: 503, body: '{}' }) : route.continue()
  })
  await signIn(page, demoPeople.victor)
  await expectHeading(page, 'Wholesaler Dashboard')
  expect(mayFail).toBe(false)
})
