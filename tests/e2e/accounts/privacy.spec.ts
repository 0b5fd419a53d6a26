import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { signInAs } from '../support/demo.ts'
import { expectHeading } from '../support/page/heading.ts'
import { expect, test } from '../support/test.ts'

// R-accounts-48, R-accounts-49
test('signs out another browser, which lands on the sign-in page', async ({ openProfile }) => {
  const [own, other] = [await openProfile(), await openProfile()]
  for (const profile of [own, other]) await signInAs('nora', profile)
  // The page whose session has ended finds out by its next requests.
  other.watch.allowErrors(/^GET .* 401$/)
  await other.page.goto('/profile')
  await expectHeading(other.page, 'Your Profile')
  await own.page.goto('/settings')
  await own.page.getByRole('button', { name: 'Manage Devices' }).click()
  const dialog = own.page.getByRole('dialog', { name: 'Devices' })
  await expect(dialog.getByText('This device')).toHaveCount(1)
  const signOuts = dialog.getByRole('button', { name: /^Sign out Chrome/ })
  const before = await signOuts.count()
  // Newest first: the other browser signed in last.
  await signOuts.first().click()
  await expect(signOuts).toHaveCount(before - 1)
  await expectHeading(other.page, 'Log In')
  await expect(other.page).toHaveURL(/\/login$/)
  await own.page.reload()
  await expectHeading(own.page, 'Settings')
})

// R-accounts-50
test('downloads everything about a person to read and for programs', async ({
  openProfile,
  page: reader,
}) => {
  const maya = await openProfile()
  await signInAs('maya', maya)
  const { page } = maya
  await page.goto('/settings')
  await page.getByRole('link', { name: 'View Your Data' }).click()
  await expectHeading(page, 'Your data')
  const json = await download(page, 'Download as JSON')
  expect(json.name).toBe('keyturn-my-data.json')
  const data = JSON.parse(json.text)
  expect(data.profile).toMatchObject([{ firstName: 'Maya', email: 'maya@example.com' }])
  expect(data.cars.length).toBeGreaterThan(2)
  expect(data.accountEvents.at(-1)).toMatchObject({ event: 'Data downloaded', by: 'You' })

  const html = await download(page, 'Download as a Web Page')
  expect(html.name).toBe('keyturn-my-data.html')
  await reader.setContent(html.text)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText(
    'Everything that Keyturn stores about you',
  )
  await expect(reader.getByRole('heading', { name: 'Cars that you listed' })).toBeVisible()
  await expect(reader.getByText('maya@example.com').first()).toBeVisible()
  await expect(reader.getByText('What is stored, how long and why')).toBeVisible()
})

async function download(page: Page, button: string) {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog', { name: 'Download your data' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  await expect(dialog).toBeHidden()
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
