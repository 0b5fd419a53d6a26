import { demoPeople } from '../server/seed/people.ts'
import { becomes } from './house/demo.ts'
import { expectHeading } from './house/heading.ts'
import { aPerson, fillIn, fillInAccount } from './house/person.ts'
import { expect, test } from './house/test.ts'

test('after a while away, changing the address or deleting the account asks for the password', {
  tag: '@full',
}, async ({ openProfile, mailbox, product }) => {
  const dora = aPerson('Dora', 'Lind')
  const { page, watch } = await openProfile()
  watch.expects(/^PATCH \/user\/edit 403$/, /^DELETE \/user\/\S+ 403$/)
  await page.goto('/register/seller')
  await fillInAccount(page, dora)
  await page.getByRole('button', { name: 'Create Account' }).click()
  // The form goes on by itself, and would break off another way.
  await expect(page).toHaveURL(`/email/${encodeURIComponent(dora.email)}`)
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

test('somebody who signed in days ago needs the password to sign an agreement', async ({
  openProfile,
  product,
}) => {
  const daniel = await openProfile()
  const { page, watch } = daniel
  const { firstName, lastName, email, password } = demoPeople.daniel
  const name = `${firstName} ${lastName}`
  watch.expects(/^PATCH \/progress\/update 403$/)
  const link = await becomes('daniel', daniel)
  await product.signedInLongAgo(email)
  await page.goto(`/car/seller?${link('golf')}`)
  await page.getByRole('button', { name: 'Sign Agreement' }).click()
  const dialog = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
  const agree = dialog.getByRole('button', { name: 'I Agree' })

  await test.step('the password is asked for, and not forgotten', async () => {
    await fillIn(dialog, { Name: name, Signature: `/s/ ${name}` })
    await agree.click()
    await expect(dialog.getByLabel('Current Password', { exact: true })).toBeFocused()
    await agree.click()
    await expect(dialog.getByText('Password is required.')).toBeVisible()
  })

  await test.step('with it the signature stands', async () => {
    await fillIn(dialog, { 'Current Password': password })
    await agree.click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText("Waiting for Elena Marsh's signature").first()).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'View agreement' }).click()
    await expect(dialog).toContainText(`/s/ ${name}`)
  })
})
