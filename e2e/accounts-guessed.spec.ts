import { expectHeading } from './house/heading.ts'
import { aPerson, fillIn, fillInAccount } from './house/person.ts'
import { expect, test } from './house/test.ts'

test.use({ settings: { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' } })

const at = (address: string) => ({ extraHTTPHeaders: { 'x-forwarded-for': address } })

test('an owner whose password is being guessed signs in on a new device with the mailed link, by keyboard', {
  tag: '@full',
}, async ({ openProfile, mailbox }) => {
  const dora = aPerson('Dora', 'Lind')
  await test.step('an account, used at home so far', async () => {
    const { page } = await openProfile(at('198.51.100.1'))
    await page.goto('/register/seller')
    await fillInAccount(page, dora)
    await page.getByRole('button', { name: 'Create Account' }).click()
    // The form goes on by itself, and would break off another way.
    await expect(page).toHaveURL(`/email/${encodeURIComponent(dora.email)}`)
    await page.goto(await mailbox.linkIn('Verify your email', dora.email))
    await expectHeading(page, 'Your email has been verified successfully!')
  })

  await test.step('a stranger guesses until there are too many', async () => {
    const { page, watch } = await openProfile(at('203.0.113.1'))
    watch.expects(/^POST \/auth\/login (401|429)$/)
    await page.goto('/login')
    await fillIn(page, { Email: dora.email, Password: 'not her password' })
    const said = page.getByRole('alert')
    await expect(async () => {
      await page.getByRole('button', { name: 'Log In' }).click()
      await expect(said).toContainText('Too many tries.', { timeout: 900 })
    }).toPass()
    await expect(said).toContainText('check your email: we may have sent you a link that signs you in.')
  })

  await test.step('the owner opens the link on another device and presses its button', async () => {
    const link = await mailbox.linkIn('Was this you?', dora.email)
    const { page, watch } = await openProfile(at('192.0.2.1'))
    await page.goto(link)
    await expectHeading(page, 'Sign in')
    await expect(page).toHaveURL(/\/login\/link$/)
    const button = page.getByRole('button', { name: 'Sign In' })
    for (let i = 0; i < 8 && !(await button.evaluate((it) => it === document.activeElement)); i++)
      await page.keyboard.press('Tab')
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/home')

    watch.expects(/^POST \/auth\/login\/link 400$/)
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign In' }).press('Enter')
    await expect(page.getByRole('alert')).toContainText('This sign-in link has expired or was already used.')
    await expect(page.getByRole('link', { name: 'Go To Log In' })).toBeFocused()
  })
})
