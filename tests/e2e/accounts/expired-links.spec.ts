import { button } from '../support/concurrent-changes.ts'
import { expectHeading } from '../support/page/heading.ts'
import { aPerson, fillAccountForm, fillIn } from '../support/person.ts'
import { expect, test } from '../support/test.ts'

// R-accounts-18, R-accounts-24
test('offers a new link when a link has expired', { tag: '@full' }, async ({ openProfile, mailbox }) => {
  const ben = aPerson('Ben', 'Okoro')
  const { page, watch } = await openProfile()
  watch.allowErrors(/^GET \/auth\/email\/verify\/.* 400$/, /^POST \/auth\/password\/reset 400$/)

  await test.step('replaces a verification link with a newer one', async () => {
    await page.goto('/register/seller')
    await fillAccountForm(page, ben)
    await button(page, 'Create Account').click()
    const first = await mailbox.findLink('Verify your email', ben.email)
    await button(page, 'Resend').click()
    await expect(page.getByText(`Email sent to ${ben.email} successfully!`)).toBeVisible()
    await mailbox.findLink('Verify your email', ben.email, 2)
    await page.goto(first)
    await expect(page.getByText('Your email verification code is invalid or has expired.')).toBeVisible()
    await fillIn(page, { Email: 'not an address' })
    await button(page, 'Resend').click()
    await expect(page.getByLabel('Email', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await fillIn(page, { Email: ben.email })
    await button(page, 'Resend').click()
    await expect(page.getByText(`Email sent to ${ben.email} successfully!`)).toBeVisible()
    await page.goto(await mailbox.findLink('Verify your email', ben.email, 3))
    await expectHeading(page, 'Your email has been verified successfully!')
  })

  await test.step('rejects an expired reset link and one with a wrong code', async () => {
    await page.goto(`/password/reset?code=whatever&exp=${Date.now() - 1000}`)
    await expectHeading(page, 'Invalid Link')
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
    await page.goto(`/password/reset?code=whatever&exp=${Date.now() + 3_600_000}`)
    await fillIn(page, { Password: 'brown river 77', 'Confirm Password': 'brown river 77' })
    await button(page, 'Reset Password').click()
    await expect(page.getByRole('alert')).toContainText('Your link has expired or is invalid.')
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
  })
})
