import type { Page } from '@playwright/test'
import { expectHeading } from '../support/page/heading.ts'
import { aPerson, fillAccountForm, fillIn, signIn, signOut } from '../support/person.ts'
import { expect, test } from '../support/test.ts'

// R-accounts-19, R-accounts-39
test('registers, edits and deletes an account', async ({ openProfile, mailbox }) => {
  const ana = aPerson('Ana', 'Quist')
  const { page, watch } = await openProfile()
  const { page: tablet } = await openProfile()
  watch.allowErrors(/^POST \/auth\/login 401$/)

  await test.step('registers, requests a second email and verifies the address', async () => {
    await page.goto('/register/buyer')
    await fillAccountForm(page, ana)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible()
    await mailbox.findLink('Verify your email', ana.email)
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to ${ana.email} successfully!`)).toBeVisible()
    await expect(page.getByText('Links in earlier ones no longer work.')).toBeVisible()
    await page.goto(await mailbox.findLink('Verify your email', ana.email, 2))
    await expectHeading(page, 'Your email has been verified successfully!')
    await expect(page).not.toHaveURL(/code=/)
    await page.getByRole('link', { name: 'Go To Your Dashboard' }).click()
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('does not show a signed-in page after signing out and going back', async () => {
    await page.goto('/profile')
    await expect(page.getByText(ana.email)).toBeVisible()
    await page.goto('/help')
    await signOut(page)
    await expectHeading(page, 'Log In')
    await Promise.all([page.waitForURL(/\/login\?wanted=%2Fhelp$/), page.goBack()])
    await expectHeading(page, 'Log In')
    await page.goto('/profile')
    await expectHeading(page, 'Log In')
  })

  await test.step('resets a forgotten password', async () => {
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expectHeading(page, 'Forgot password')
    await fillIn(page, { Email: ana.email })
    await page.getByRole('button', { name: 'Send Link' }).click()
    await expect(
      page.getByText(`Email sent to ${ana.email} successfully! Check your inbox for further instructions.`),
    ).toBeVisible()
    await page.goto(await mailbox.findLink('Choose a new password', ana.email))
    const forgotten = ana.password
    ana.password = `${forgotten} again`
    await fillIn(page, { Password: ana.password, 'Confirm Password': forgotten })
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByText('Passwords do not match.')).toBeVisible()
    await fillIn(page, { 'Confirm Password': ana.password })
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expectHeading(page, 'Password reset successfully!')
    await page.getByRole('link', { name: 'Go To Log In' }).click()
    await expectHeading(page, 'Log In')
    await expectSignInError(page, { ...ana, password: forgotten })
    await signIn(page, ana)
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('uses a new email address once it has been verified', async () => {
    const before = ana.email
    ana.email = `new-${before}`
    await page.getByRole('button', { name: 'My Account' }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await fillIn(dialog, { 'Last Name': 'Quist-Lund', Email: ana.email })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Ana Quist-Lund')).toBeVisible()
    await expect(page.getByText(`We sent an email to ${ana.email}.`)).toBeVisible()
    await expect(page.getByText(before, { exact: true })).toBeVisible()
    await mailbox.findLink('Your email address is about to change', before)
    await page.goto(await mailbox.findLink('Verify your email', ana.email))
    await expectHeading(page, 'Your email has been verified successfully!')
    await page.goto('/profile')
    await expect(page.getByText(ana.email, { exact: true })).toBeVisible()
    await expect(page.getByText(before, { exact: true })).toBeHidden()
  })

  await test.step('signs out other devices when the password changes', async () => {
    await signIn(tablet, ana)
    await expectHeading(tablet, 'Purchase Dashboard')
    ana.password = `${ana.password} and again`
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Change Your Password' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change Your Password' })
    await fillIn(dialog, { 'New Password': ana.password, 'Confirm Password': ana.password })
    await dialog.getByRole('button', { name: 'Change Password' }).click()
    await expectHeading(page, 'Password Changed Successfully!')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await tablet.reload()
    await expectHeading(tablet, 'Log In')
    await page.reload()
    await expectHeading(page, 'Settings')
    await mailbox.findLink('Your password was changed', ana.email)
    await signOut(page)
    await signIn(page, ana)
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('rejects a sign-in after the account was deleted', async () => {
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Account' })
    await expect(dialog).toContainText('Are you sure you want to delete your account?')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectHeading(page, 'Log In')
    await expectSignInError(page, ana)
  })
})

async function expectSignInError(page: Page, person: { email: string; password: string }) {
  await signIn(page, person)
  await expect(page.getByRole('alert')).toContainText('Invalid email or password.')
}
