import type { BrowserContext, Page } from '@playwright/test'
import { demoPeople } from '../server/seed/people.ts'
import { becomes } from './house/demo.ts'
import { aPerson, fillIn, fillInAccount, signIn, signOut } from './house/person.ts'
import { expect, test } from './house/test.ts'

test('an account, from registering to deleting it', async ({ openProfile, mailbox }) => {
  const ana = aPerson('Ana', 'Quist')
  const { page, watch } = await openProfile()
  const { page: tablet } = await openProfile()
  watch.expects(/^POST \/auth\/login 401$/)

  await test.step('register, have the mail sent again, verify', async () => {
    await page.goto('/register/buyer')
    await fillInAccount(page, ana)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible()
    await mailbox.linkIn('Verify your email', ana.email)
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to ${ana.email} successfully!`)).toBeVisible()
    await page.goto(await mailbox.linkIn('Verify your email', ana.email, 2))
    await expectHeading(page, 'Your email has been verified successfully!')
    await expect(page).not.toHaveURL(/code=/)
    await page.getByRole('link', { name: 'Go To Your Dashboard' }).click()
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('sign out: Back shows nothing of it', async () => {
    await page.goto('/profile')
    await expect(page.getByText(ana.email)).toBeVisible()
    await page.goto('/help')
    await signOut(page)
    await expectHeading(page, 'Log In')
    await page.goBack()
    await expectHeading(page, 'Log In')
    await page.goto('/profile')
    await expectHeading(page, 'Log In')
  })

  await test.step('forget the password and choose another one', async () => {
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await expectHeading(page, 'Forgot password')
    await fillIn(page, { Email: ana.email })
    await page.getByRole('button', { name: 'Send Link' }).click()
    await expect(
      page.getByText(`Email sent to ${ana.email} successfully! Check your inbox for further instructions.`),
    ).toBeVisible()
    await page.goto(await mailbox.linkIn('Choose a new password', ana.email))
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
    await expectNoWayIn(page, { ...ana, password: forgotten })
    await signIn(page, ana)
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('edit the profile: a new address counts once it is verified', async () => {
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
    await expect(page.getByText(`We sent a link to ${ana.email}.`)).toBeVisible()
    await expect(page.getByText(before, { exact: true })).toBeVisible()
    await mailbox.linkIn('Your email address is about to change', before)
    await page.goto(await mailbox.linkIn('Verify your email', ana.email))
    await expectHeading(page, 'Your email has been verified successfully!')
    await page.goto('/profile')
    await expect(page.getByText(ana.email, { exact: true })).toBeVisible()
    await expect(page.getByText(before, { exact: true })).toBeHidden()
  })

  await test.step('change the password: other devices are signed out', async () => {
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
    await mailbox.linkIn('Your password was changed', ana.email)
    await signOut(page)
    await signIn(page, ana)
    await expectHeading(page, 'Purchase Dashboard')
  })

  await test.step('delete it: nobody can sign in any more', async () => {
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Account' })
    await expect(dialog).toContainText('Are you sure you want to delete your account?')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expectHeading(page, 'Log In')
    await expectNoWayIn(page, ana)
  })
})

test('links that are wrong, expired or used up', async ({ openProfile, mailbox, product }) => {
  const ben = aPerson('Ben', 'Okoro')
  const { page, watch } = await openProfile()
  watch.expects(/^GET \/auth\/email\/verify\/.* 400$/, /^POST \/auth\/password\/reset 400$/)

  await test.step('a verification link that never was', async () => {
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

  await test.step('a verification link whose day is over', async () => {
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
    // Mail programs open links before their readers do: the same success again.
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

  await test.step('a reset link that only pretends to be good', async () => {
    await page.goto(`/password/reset?code=whatever&exp=${Date.now() + 3_600_000}`)
    await fillIn(page, { Password: 'brown river 77', 'Confirm Password': 'brown river 77' })
    await page.getByRole('button', { name: 'Reset Password' }).click()
    await expect(page.getByRole('alert')).toContainText('Your link has expired or is invalid.')
    await page.getByRole('link', { name: 'Resend Link' }).click()
    await expectHeading(page, 'Forgot password')
  })

  await test.step('a reset link whose hour is over, though it says that it is good', async () => {
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

test('two tabs never sign each other out, and sign out together', async ({ openProfile, mailbox }) => {
  const cora = aPerson('Cora', 'Bell')
  const { page: one, context } = await openProfile()
  await one.goto('/register/seller')
  await fillInAccount(one, cora)
  await one.getByRole('button', { name: 'Create Account' }).click()
  await one.goto(await mailbox.linkIn('Verify your email', cora.email))
  await one.getByRole('link', { name: 'Go To Your Dashboard' }).click()
  await expectHeading(one, 'Dashboard')
  const other = await context.newPage()
  await other.goto('/profile')
  await expectHeading(other, 'Your Profile')
  const renewals = answersTo('/auth/refresh', context)

  for (let round = 1; round <= 5; round++) {
    await afterTenMinutes(context)
    await Promise.all([one.reload(), other.reload()])
    await expectHeading(one, 'Dashboard')
    await expectHeading(other, 'Your Profile')
    await expect(one.getByText('You have no cars listed.')).toBeVisible()
    await expect(other.getByText(cora.email)).toBeVisible()
    expect(new Set(renewals), `round ${round}`).toEqual(new Set([200]))
    expect(renewals.length, `round ${round}`).toBeLessThanOrEqual(2 * round)
  }

  await signOut(one)
  await expectHeading(other, 'Log In')
})

test('however many calls find the session ended, it is renewed once', async ({ openProfile }) => {
  const elena = await openProfile()
  const { page, context, watch } = elena
  await becomes('elena', elena)
  watch.expects(/^GET \S+ 401$/)
  await page.goto('/home?view=buying')
  await expect(page.getByText('Not requested yet').first()).toBeVisible()
  const renewals = answersTo('/auth/refresh', context)
  const calls = answersTo('/', context)
  await page.route('**/auth/refresh', async (route) => {
    await expect.poll(() => refused(calls)).toBeGreaterThan(2)
    await route.continue()
  })

  await afterTenMinutes(context)
  // As when one comes back to the tab: everything it shows is asked again at once.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect.poll(() => renewals).toEqual([200])
  await expect.poll(() => calls.length - 1 - refused(calls)).toBeGreaterThanOrEqual(refused(calls))
  expect(renewals).toEqual([200])
})

test('a session that ended is renewed like any other after signing in, out and in again on one page', async ({
  openProfile,
}) => {
  const { page, context, watch } = await openProfile()
  watch.expects(/^GET \S+ 401$/)
  const elena = demoPeople.elena
  await signIn(page, elena)
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
  const renewals = answersTo('/auth/refresh', context)
  await afterTenMinutes(context)
  await comeBack(page)
  await expect.poll(() => renewals).toEqual([200])

  await context.clearCookies()
  await comeBack(page)
  await expectHeading(page, 'Log In')
  await signInHere(page, elena)
  await go(page, 'Log Out')
  await expectHeading(page, 'Log In')
  await signInHere(page, elena)

  await afterTenMinutes(context)
  await comeBack(page)
  await expect.poll(() => renewals).toEqual([200, 401, 200])
  await go(page, 'Help')
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
})

test('who has been away is asked for the password before the address changes or the account goes', async ({
  openProfile,
  mailbox,
  product,
}) => {
  const dora = aPerson('Dora', 'Lind')
  const { page, watch } = await openProfile()
  watch.expects(/^PATCH \/user\/edit 403$/, /^DELETE \/user\/\S+ 403$/)
  await page.goto('/register/seller')
  await fillInAccount(page, dora)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.goto(await mailbox.linkIn('Verify your email', dora.email))
  await expectHeading(page, 'Your email has been verified successfully!')
  await product.signedInLongAgo(dora.email)

  await test.step('another address, and its link sent again', async () => {
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await fillIn(dialog, { Email: `new-${dora.email}` })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByLabel('Current Password', { exact: true })).toBeFocused()
    await fillIn(dialog, { 'Current Password': 'not this one' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('This is not your current password.')).toBeVisible()
    await fillIn(dialog, { 'Current Password': dora.password })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Resend' }).click()
    await expect(page.getByText(`Email sent to new-${dora.email} successfully!`)).toBeVisible()
    await mailbox.linkIn('Verify your email', `new-${dora.email}`, 2)
  })

  await test.step('deleting the account', async () => {
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Account' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await fillIn(dialog, { 'Current Password': dora.password })
    await dialog.getByLabel('Current Password', { exact: true }).press('Enter')
    await expectHeading(page, 'Log In')
  })
})

test('the waiting screen says when signing out fails, and leads on who is not signed in', async ({
  openProfile,
}) => {
  const { page, context, watch } = await openProfile()
  await page.goto('/register/seller')
  await fillInAccount(page, aPerson('Finn', 'Roe'))
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectHeading(page, 'Verify your email')
  watch.mayLoseRequests(true)
  await page.route('**/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('alert')).toContainText('You are still signed in.')
  await page.unroute('**/auth/logout')
  watch.mayLoseRequests(false)
  await context.clearCookies()
  await page.reload()
  await page.getByRole('link', { name: 'Log In' }).click()
  await expectHeading(page, 'Log In')
})

test('a VIN typed over that of the link goes without the seller of the link', async ({ openProfile }) => {
  const { page } = await openProfile()
  const sent: unknown[] = []
  await page.route('**/auth/register', (route) => {
    sent.push(route.request().postDataJSON())
    return route.continue()
  })
  const seller = 'f'.repeat(24)
  await page.goto(`/register/buyer?userId=${seller}&vin=1HGCM82633A004352`)
  await fillInAccount(page, aPerson('Gil', 'Moss'))
  await fillIn(page, { "Seller's VIN (optional)": '1FAFP404X1F123456' })
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectHeading(page, 'Verify your email')
  expect(sent).toEqual([expect.objectContaining({ vin: '1FAFP404X1F123456' })])
  expect(JSON.stringify(sent)).not.toContain(seller)
})

test('/dev shows nothing of the administrator’s to whom the server could not answer', async ({
  openProfile,
}) => {
  const { page, watch } = await openProfile()
  watch.expects(/^GET \/admin\/mails 503$/)
  await page.route('**/admin/mails', (route) => route.fulfill({ status: 503, body: '{}' }))
  await page.goto('/dev')
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  await expect(page.getByText('Signed in as administrator')).toBeHidden()
})

/** What ten minutes do to the cookie of a session. */
const afterTenMinutes = (context: BrowserContext) => context.clearCookies({ name: /at$/ })

/** By the menu: the page stays the one that it was. */
async function go(page: Page, to: string) {
  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('menuitem', { name: to, exact: true }).click()
}

/** As when one comes back to the tab: everything it shows is asked again at once. */
const comeBack = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

async function signInHere(page: Page, { email, password }: { email: string; password: string }) {
  await fillIn(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
}

const refused = (answers: number[]) => answers.filter((status) => status === 401).length

/** The status of every answer from now on to calls whose path begins so. */
function answersTo(path: string, context: BrowserContext): number[] {
  const statuses: number[] = []
  context.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith(path)) statuses.push(response.status())
  })
  return statuses
}

const expectHeading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { name, exact: true })).toBeVisible()

async function expectNoWayIn(page: Page, person: { email: string; password: string }) {
  await signIn(page, person)
  await expect(page.getByRole('alert')).toContainText('Invalid email or password.')
}
