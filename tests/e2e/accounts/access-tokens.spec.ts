import { button } from '../support/concurrent-changes.ts'
import { signInAs } from '../support/demo.ts'
import { expect, test } from '../support/test.ts'

// R-accounts-68, R-accounts-69
test('creates a token, uses it outside of the browser, and revokes it', async ({ openProfile, product }) => {
  const nora = await openProfile()
  const { page, context } = nora
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInAs('nora', nora)
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Access tokens' }).click()
  await button(page, 'Create a Token').click()
  const form = page.getByRole('dialog', { name: 'Create an access token' })
  await button(form, 'Create Token').click()
  await expect(form.getByText('Please choose at least one')).toBeVisible()
  await form.getByLabel('Name', { exact: true }).fill('Inventory script')
  await form.getByLabel('profile:read').check()
  await button(form, 'Create Token').click()

  const shown = page.getByRole('dialog', { name: 'Copy your token now' })
  await expect(shown.getByText('This is the only time we show it.')).toBeVisible()
  const token = await shown.getByLabel('Token', { exact: true }).inputValue()
  await button(shown, 'Copy Token').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await button(shown, 'Done').click()
  await expect(page.getByText('Never used')).toBeVisible()
  expect(await page.content()).not.toContain(token)

  const read = async () => {
    const response = await fetch(new URL('/user', product.origin), {
      headers: { authorization: `Bearer ${token}` },
    })
    return [response.status, (await response.json()).email ?? null]
  }
  expect(await read()).toEqual([200, 'nora@example.com'])
  await page.reload()
  await page.getByRole('heading', { name: 'Access tokens' }).click()
  await expect(page.getByText(/^Last used on/)).toBeVisible()
  await button(page, 'Revoke Inventory script').click()
  await button(page.getByRole('dialog', { name: 'Revoke this token?' }), 'Revoke').click()
  await expect(page.getByText('Inventory script', { exact: true })).toBeHidden()
  expect(await read()).toEqual([401, null])
})
