import { expectHeading } from './house/heading.ts'
import { aPerson, fillIn, fillInAccount, signIn } from './house/person.ts'
import { expect, test } from './house/test.ts'

// R-accounts-18, R-accounts-24
test('links that are wrong, expired or used up', { tag: '@full' }, async ({
  openProfile,
  mailbox,
  product,
}) => {
  const ben = aPerson('Ben', 'Okoro')
  const { page, watch } = await openProfile()
  watch.expects(/^GET \/auth\/email\/verify\/.* 400$/, /^POST \/auth\/password\/reset 400$/)

  await test.step('a verification link that never existed', async () => {
    await page.goto('/email/verify?code=neversent')
    await expect(page.getByText('Your email verification code is invalid or has expired.')).toBeVisible()
    await fillIn(page, { Email: 'not an address' })
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  })

  await test.step('a verification link that a newer one has replaced', async () => {
    await page.goto('/register/seller')
    await fillInAccount(page, ben)
    await page.getByRole('button', { name: 'Create Account' }).click()
    const first = await mailbox.linkIn('Verify your email', ben.email)
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to ${ben.email} successfully!`)).toBeVisible()
    await mailbox.linkIn('Verify your email', ben.email, 2)
    await page.goto(first)
    await expect(page.getByText('Your email verification code is invalid or has expired.')).toBeVisible()
    await fillIn(page, { Email: ben.email })
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to ${ben.email} successfully!`)).toBeVisible()
  })

  await test.step('a verification link that has expired', async () => {
    const last = await mailbox.linkIn('Verify your email', ben.email, 3)
    await product.expireLinkTo(ben.email)
    await page.goto(last)
    await expect(page.getByText('Your email verification code is invalid or has expired.')).toBeVisible()
    await signIn(page, ben)
    await expectHeading(page, 'Verify your email')
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to ${ben.email} successfully!`)).toBeVisible()
    const newest = await mailbox.linkIn('Verify your email', ben.email, 4)
    await page.goto(newest)
    await expectHeading(page, 'Your email has been verified successfully!')
    // Mail programs open links before their readers do, so the second visit must succeed too.
    await page.goto(newest)
    await expectHeading(page, 'Your email has been verified successfully!')
  })

  await test.step('a reset link that says itself that it has expired', async () => {
    await page.goto(`/password/reset?code=whatever&exp=${Date.now() - 1000}`)
    await expectHeading(page, 'Invalid Link')
    await expect(page.getByText('Your link has expired or is invalid.')).toBeVisible()
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
  })

  await test.step('a reset link with a wrong code', async () => {
    await page.goto(`/password/reset?code=whatever&exp=${Date.now() + 3_600_000}`)
    await fillIn(page, { Password: 'brown river 77', 'Confirm Password': 'brown river 77' })
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByRole('alert')).toContainText('Your link has expired or is invalid.')
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
  })

  await test.step('a reset link that has expired although its address says otherwise', async () => {
    await fillIn(page, { Email: ben.email })
    await page.getByRole('button', { name: 'Send Link' }).click()
    const link = await mailbox.linkIn('Choose a new password', ben.email)
    await product.expireLinkTo(ben.email)
    await page.goto(link)
    await fillIn(page, { Password: 'brown river 77', 'Confirm Password': 'brown river 77' })
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByRole('alert')).toContainText('Your link has expired or is invalid.')
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
  })

  await test.step('a reset link works once', async () => {
    await fillIn(page, { Email: ben.email })
    await page.getByRole('button', { name: 'Send Link' }).click()
    const link = await mailbox.linkIn('Choose a new password', ben.email, 2)
    for (const time of ['first', 'second'] as const) {
      await page.goto(link)
      const password = `${time} river 77`
      await fillIn(page, { Password: password, 'Confirm Password': password })
      await page.getByRole('button', { name: 'Reset Password' }).click()
      if (time === 'first') await expectHeading(page, 'Password reset successfully!')
      else await expect(page.getByRole('alert')).toContainText('Your link has expired or is invalid.')
    }
    await signIn(page, { ...ben, password: 'first river 77' })
    await expectHeading(page, 'Dashboard')
  })
})

test('a VIN typed over that of the link goes without the seller of the link', { tag: '@full' }, async ({
  openProfile,
  mailbox,
}) => {
  const gil = aPerson('Gil', 'Moss')
  const { page, context, watch } = await openProfile()
  watch.expects(/^PATCH \/progress\/add 404$/)
  const sent: unknown[] = []
  await page.route('**/auth/register', (route) => {
    sent.push(route.request().postDataJSON())
    return route.continue()
  })
  const seller = 'f'.repeat(24)
  await page.goto(`/register/buyer?userId=${seller}&vin=1HGCM82633A004352`)
  await fillInAccount(page, gil)
  await fillIn(page, { "Seller's VIN (optional)": '1FAFP404X1F123456' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectHeading(page, 'Verify your email')
  // In another tab, perhaps of a mail program's; this one goes on to the car that Gil came for (R-accounts-8).
  const other = await context.newPage()
  await other.goto(await mailbox.linkIn('Verify your email', gil.email))
  await expectHeading(other, 'Your email has been verified successfully!')
  await expect(page).toHaveURL('/buyer?vin=1FAFP404X1F123456')
  await expect(page.getByText('No car found for VIN: 1FAFP404X1F123456')).toBeVisible()
  expect(sent).toEqual([expect.objectContaining({ vin: '1FAFP404X1F123456' })])
  expect(JSON.stringify(sent)).not.toContain(seller)
})
