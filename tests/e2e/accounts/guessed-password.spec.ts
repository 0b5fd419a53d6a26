import { button } from '../support/concurrent-changes.ts'
import { expectHeading } from '../support/page/heading.ts'
import { aPerson, fillIn } from '../support/person.ts'
import { readEmailedLink, registerAndVerify, signInAsAdministrator } from '../support/setup.ts'
import { expect, test } from '../support/test.ts'

test.use({ settings: { RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1' } })

const at = (address: string) => ({ extraHTTPHeaders: { 'x-forwarded-for': address } })

test('signs the owner in on a new device with the emailed link after somebody guessed passwords', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const administrator = await openProfile()
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(await openProfile(at('198.51.100.1')), administrator, 'SELLER', dora)

  await test.step('limits wrong passwords', async () => {
    const { page, watch } = await openProfile(at('203.0.113.1'))
    watch.allowErrors(/^POST \/auth\/login (401|429)$/)
    await page.goto('/login')
    await fillIn(page, { Email: dora.email, Password: 'not her password' })
    const error = page.getByRole('alert')
    await expect(async () => {
      await button(page, 'Log In').click()
      await expect(error).toContainText('Too many tries.', { timeout: 900 })
    }).toPass()
    await expect(error).toContainText('check your email: we may have sent you a link that signs you in.')
  })

  await test.step('signs in with the link', async () => {
    const link = await readEmailedLink('/login/link', dora.email, administrator)
    const { page } = await openProfile(at('192.0.2.1'))
    await page.goto(link.href)
    await expectHeading(page, 'Sign in')
    await expect(page).toHaveURL(/\/login\/link$/)
    await button(page, 'Sign In').press('Enter')
    await page.waitForURL('**/home')
  })
})
