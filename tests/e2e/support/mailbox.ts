import { expect, type Page } from '@playwright/test'

export type Mailbox = {
  /**
   * Waits for an email in the development mailbox and returns its link. With `count`, waits for
   * that many emails with this subject and uses the newest.
   */
  findLink(subject: string, to: string, count?: number): Promise<string>
  page: Page
}

/** Signs in as administrator at /dev. */
export async function openMailbox(
  page: Page,
  administrator: { username: string; password: string },
): Promise<Mailbox> {
  await page.goto('/dev')
  await page.getByLabel('Username', { exact: true }).fill(administrator.username)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Log In' }).click()
  await expect(page.getByText('Signed in as admin ')).toBeVisible()
  return { page, findLink: (...wanted) => findLink(page, ...wanted) }
}

async function findLink(page: Page, subject: string, to: string, count = 1): Promise<string> {
  await page.getByRole('tab', { name: 'Mailbox' }).click()
  const mails = page.getByRole('button', { name: `Open "${subject}" to ${to}` })
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh' }).first().click()
    await expect(mails).toHaveCount(count, { timeout: 500 })
  }).toPass()
  // Newest first.
  await mails.first().click()
  const mail = page.getByRole('dialog', { name: subject })
  const link = await mail.getByRole('link', { name: 'Open the link' }).getAttribute('href')
  await mail.getByRole('button', { name: 'Close' }).last().click()
  await expect(mail).toBeHidden()
  return link ?? ''
}
