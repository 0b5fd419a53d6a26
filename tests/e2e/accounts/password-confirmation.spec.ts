import { demoPeople } from '../../../server/commands/seed/demo-people.ts'
import { button } from '../support/concurrent-changes.ts'
import { signInAs } from '../support/demo.ts'
import { aPerson, fillIn } from '../support/person.ts'
import { registerAndVerify, signInAsAdministrator } from '../support/setup.ts'
import { expect, test } from '../support/test.ts'

test('asks for the password before an email change when the last sign-in was days ago', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const [profile, administrator] = [await openProfile(), await openProfile()]
  const { page, watch } = profile
  watch.allowErrors(/^PATCH \/user\/edit 403$/)
  await signInAsAdministrator(administrator, product)
  await registerAndVerify(profile, administrator, 'SELLER', dora)
  await product.ageSignIn(dora.email)
  await page.goto('/profile')
  await button(page, 'Edit Profile').click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await fillIn(dialog, { Email: `new-${dora.email}` })
  await button(dialog, 'Save').click()
  await expect(dialog.getByLabel('Current Password', { exact: true })).toBeFocused()
  await fillIn(dialog, { 'Current Password': 'not this one' })
  await button(dialog, 'Save').click()
  await expect(dialog.getByText('This is not your current password.')).toBeVisible()
  await fillIn(dialog, { 'Current Password': dora.password })
  await button(dialog, 'Save').click()
  await expect(dialog).toBeHidden()
  await button(page, 'Resend').click()
  await expect(page.getByText(`Email sent to new-${dora.email} successfully!`)).toBeVisible()
})

test('asks for the password before a signature when the last sign-in was days ago', async ({
  openProfile,
  product,
}) => {
  const daniel = await openProfile()
  const { page, watch } = daniel
  const { firstName, lastName, email, password } = demoPeople.daniel
  const name = `${firstName} ${lastName}`
  watch.allowErrors(/^PATCH \/progress\/update 403$/)
  const link = await signInAs('daniel', daniel)
  await product.ageSignIn(email)
  await page.goto(`/car/seller?${link('golf')}`)
  await page.getByRole('button', { name: 'Sign Agreement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  const agree = dialog.getByRole('button', { name: 'I Agree' })

  await test.step('requires the password', async () => {
    await fillIn(dialog, { Name: name, Signature: `/s/ ${name}` })
    await agree.click()
    await expect(dialog.getByLabel('Current Password', { exact: true })).toBeFocused()
    await agree.click()
    await expect(dialog.getByText('Password is required.')).toBeVisible()
  })

  await test.step('stores the signature', async () => {
    await fillIn(dialog, { 'Current Password': password })
    await agree.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText("Waiting for Elena Marsh's signature").first()).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'View agreement' }).click()
    await expect(dialog).toContainText(`/s/ ${name}`)
  })
})
