import type { Page } from '@playwright/test'
import { button } from '../support/concurrent-changes.ts'
import { focusByKey } from '../support/page/focus-by-key.ts'
import { aPerson, signIn, signOut } from '../support/person.ts'
import { registerAndVerify, signInAsAdministrator } from '../support/setup.ts'
import { expect, type Profile, test } from '../support/test.ts'

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In With a Passkey' })
const card = (page: Page) => page.locator('section', { has: page.getByRole('heading', { name: 'Passkeys' }) })

/**
 * The device's own authenticator, such as a fingerprint reader. It recognizes the person, and chooses
 * a suggested passkey on its own as soon as the page suggests any.
 */
async function plugInAuthenticator({ page, context }: Profile, { isSuggested = false } = {}) {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  if (!isSuggested)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
  return {
    recognize: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

// R-accounts-43, R-accounts-45, R-accounts-47
test('accepts the offer of a passkey, signs in with it, renames and removes it', async ({
  openProfile,
  product,
}) => {
  const dora = aPerson('Dora', 'Lind')
  const [profile, administrator] = [await openProfile(), await openProfile()]
  const { page, watch } = profile
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(profile, administrator, 'SELLER', dora)
  await profile.context.clearCookies()
  const authenticator = await plugInAuthenticator(profile)

  await test.step('adds a passkey after signing in with the password', async () => {
    await signIn(page, dora)
    await page.waitForURL('**/home')
    const offer = page.getByText('Sign in faster next time')
    await expect(offer).toBeVisible()
    await button(page, 'Add a Passkey').click()
    await button(page.getByRole('dialog', { name: 'Add a Passkey' }), 'Add a Passkey').click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(offer).toBeHidden()
    await page.goto('/settings')
    await expect(card(page)).toContainText(/Chrome on .+Added .+ Not used yet\./)
  })

  await test.step('signs in with it', async () => {
    await signOut(page)
    await signInButton(page).click()
    await page.waitForURL('**/home')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
  })

  await test.step('says so when the device does not recognize the person', async () => {
    await signOut(page)
    await authenticator.recognize(false)
    await signInButton(page).click()
    await expect(page.getByRole('alert')).toContainText('No passkey was used.')
    await authenticator.recognize(true)
    await signInButton(page).click()
    await page.waitForURL('**/home')
  })

  await test.step('renames and removes it', async () => {
    watch.allowErrors(/^DELETE \/user\/passkeys\/\w+ 403$/, /^POST \/auth\/passkey\/login 401$/)
    await page.goto('/settings')
    await card(page)
      .getByRole('button', { name: /^Rename/ })
      .click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('My laptop')
    await button(page.getByRole('dialog'), 'Save').click()
    await expect(card(page)).toContainText('My laptop')
    await expect(card(page)).toContainText(/Last used/)
    await product.ageSignIn(dora.email)
    await card(page).getByRole('button', { name: 'Remove “My laptop”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Passkey' })
    await button(dialog, 'Remove').click()
    await dialog.getByLabel('Current Password', { exact: true }).fill(dora.password)
    await button(dialog, 'Remove').click()
    await expect(card(page)).toContainText('You have no passkeys yet.')
    await signOut(page)
    await signInButton(page).click()
    await expect(page.getByRole('alert')).toContainText('This passkey could not be used.')
  })
})

// R-accounts-43, R-accounts-45, R-everywhere-30
test('adds, uses and removes a passkey by keyboard alone', async ({ openProfile, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const [profile, administrator] = [await openProfile(), await openProfile()]
  const { page } = profile
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(profile, administrator, 'BUYER', dora)
  await plugInAuthenticator(profile)
  // A dialog ignores a press that follows its opening at once.
  const enter = async () => {
    await expect(page.locator('[data-guarded]')).toHaveCount(0)
    await page.keyboard.press('Enter')
  }

  await page.goto('/settings')
  await focusByKey(card(page).getByRole('button', { name: 'Add a Passkey' }))
  await enter()
  await focusByKey(page.getByRole('dialog').getByRole('button', { name: 'Add a Passkey' }))
  await enter()
  await expect(card(page)).toContainText('Not used yet.')
  await expect(card(page).getByRole('button', { name: 'Add a Passkey' })).toBeFocused()

  await profile.context.clearCookies()
  await page.goto('/login')
  await focusByKey(signInButton(page))
  await enter()
  await page.waitForURL('**/home')

  await page.goto('/settings')
  await focusByKey(card(page).getByRole('button', { name: /^Remove/ }))
  await enter()
  await focusByKey(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }))
  await enter()
  await expect(card(page)).toContainText('You have no passkeys yet.')
})

// R-accounts-47
test('does not offer a passkey again once it was declined', async ({ openProfile, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const [profile, administrator] = [await openProfile(), await openProfile()]
  const { page } = profile
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(profile, administrator, 'SELLER', dora)
  await profile.context.clearCookies()
  await plugInAuthenticator(profile)
  await signIn(page, dora)
  const offer = page.getByText('Sign in faster next time')
  await expect(offer).toBeVisible()
  const declined = page.waitForResponse('**/user/passkeys/dismiss')
  await button(page, 'No Thanks').click()
  await expect(offer).toBeHidden()
  await declined
  await signOut(page)
  const listed = page.waitForResponse('**/user/passkeys')
  await signIn(page, dora)
  expect((await (await listed).json()).isOffered).toBe(false)
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
  await expect(offer).toBeHidden()
})

// R-accounts-43
test('signs in with a passkey that the browser suggests in the email field', async ({
  openProfile,
  product,
}) => {
  const dora = aPerson('Dora', 'Lind')
  const [profile, administrator] = [await openProfile(), await openProfile()]
  const { page } = profile
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(profile, administrator, 'SELLER', dora)
  await plugInAuthenticator(profile, { isSuggested: true })
  await page.goto('/settings')
  await card(page).getByRole('button', { name: 'Add a Passkey' }).click()
  await button(page.getByRole('dialog'), 'Add a Passkey').click()
  await expect(card(page)).toContainText('Not used yet.')
  await profile.context.clearCookies()
  await page.goto('/login')
  await page.waitForURL('**/home')
  await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
})
