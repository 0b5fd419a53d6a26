import { button } from '../support/concurrent-changes.ts'
import { expectHeading } from '../support/page/heading.ts'
import { aPerson, fillIn } from '../support/person.ts'
import { mailedLink, registerAndVerify, signInAsAdministrator } from '../support/setup.ts'
import { expect, test } from '../support/test.ts'

test.use({ settings: { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' } })

const at = (address: string) => ({ extraHTTPHeaders: { 'x-forwarded-for': address } })

test('an owner whose password is being guessed signs in on a new device with the mailed link', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const administrator = await openProfile()
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(await openProfile(at('198.51.100.1')), administrator, 'SELLER', dora)

  await test.step('a stranger guesses until there are too many', async () => {
    const { page, watch } = await openProfile(at('203.0.113.1'))
    watch.allowErrors(/^POST \/auth\/login (401|429)$/)
    await page.goto('/login')
    await fillIn(page, { Email: dora.email, Password: 'not her password' })
    const said = page.getByRole('alert')
    await expect(async () => {
      await button(page, 'Log In').click()
      await expect(said).toContainText('Too many tries.', { timeout: 900 })
    }).toPass()
    await expect(said).toContainText('check your email: we may have sent you a link that signs you in.')
  })

  await test.step('the owner opens the link on another device and presses its button', async () => {
    const link = await mailedLink('/login/link', dora.email, administrator)
    const { page } = await openProfile(at('192.0.2.1'))
    await page.goto(link.href)
    await expectHeading(page, 'Sign in')
    await expect(page).toHaveURL(/\/login\/link$/)
    await button(page, 'Sign In').press('Enter')
    await page.waitForURL('**/home')
  })
})
