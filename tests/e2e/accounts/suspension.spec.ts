import type { Page } from '@playwright/test'
import { callApi, createSale, requestCar, saleParams } from '../support/setup.ts'
import { expect, test } from '../support/test.ts'

// A reported message leads to the sender, whom the administrator suspends and later restores.

const note = 'A buyer says that you asked for money before the sale.'

// R-accounts-58, R-accounts-60, R-accounts-61, R-accounts-63, R-deals-117
test('suspends the sender of a reported message and lifts the suspension', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { administrator, seller, buyer, link } = await createSale(openProfile, product, '1HGFC2F59KA000917')
  await requestCar(buyer, link, 12_000)
  const { userId, vin } = saleParams(link)
  const { _id: dealId } = await callApi(buyer, `GET /progress/${userId}/${vin}`)
  const sent = await callApi(seller, `POST /messages/${dealId}`, { text: 'Send me the money first.' })
  await callApi(buyer, `POST /messages/${dealId}/${sent._id}/report`, { reason: 'Fraud?' })
  await seller.page.goto(`/car/seller?${link}`)
  await expect(seller.page.getByText('Bea Buyer').first()).toBeVisible()
  await buyer.page.goto(`/buyer?${link}`)
  await expect(buyer.page.getByText('Paused')).toBeHidden()

  const page = administrator.page
  await page.goto('/dev')
  await page.getByRole('link', { name: /^Open the sender, Sam / }).click()
  await expect(page.getByRole('heading', { name: /^Sam / })).toBeVisible()
  await capture(page, 'person')
  await page.getByRole('button', { name: 'Suspend Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend This Account' })
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(dialog.getByText('Please choose a reason.')).toBeVisible()
  await dialog.getByLabel('Reason').selectOption('Suspected fraud')
  await dialog.getByLabel('Message to the person').fill(note)
  await capture(page, 'dialog')
  seller.watch.allowErrors(/ 40[13]$/)
  administrator.watch.allowErrors(/^POST \/admin\/people\/\w+\/suspend 403$/)
  await product.ageAdministratorSignIn()
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  const again = page.getByRole('dialog', { name: 'Enter your password' })
  await again.getByLabel('Password', { exact: true }).fill(product.administrator.password)
  await again.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('This account is suspended.')).toBeVisible()
  await capture(page, 'suspended-person')

  // The seller's open page ends at the reason, without a click.
  await expect(seller.page.getByRole('heading', { name: 'Your account is suspended' })).toBeVisible()
  await expect(seller.page.getByText(note)).toBeVisible()
  await expect(seller.page.getByText(/write to /)).toBeVisible()
  await capture(seller.page, 'seller')

  await expect(buyer.page.getByText(/^This deal is paused\. Nothing is lost/)).toBeVisible()
  await expect(buyer.page.getByRole('button', { name: 'Sign Agreement' })).toHaveCount(0)
  await capture(buyer.page, 'buyer')
  const stranger = await openProfile()
  stranger.watch.allowErrors(/^GET \/car 404$/)
  await stranger.page.goto(`/car?${link}`)
  await expect(stranger.page.getByText('This car is not available at the moment.').first()).toBeVisible()
  await capture(stranger.page, 'car')

  await page.getByRole('button', { name: 'Lift Suspension' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Suspend Account' })).toBeVisible()
  await expect(buyer.page.getByText(/^This deal is paused\. Nothing is lost/)).toBeHidden()
  await stranger.page.reload()
  await expect(stranger.page.getByText('This car is not available at the moment.')).toHaveCount(0)

  await page.goto('/dev')
  await page.getByRole('tab', { name: 'People' }).click()
  await page.getByLabel('Name, email or ID').fill('sam')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByRole('link', { name: /^Open Sam / }).first()).toBeVisible()
  await capture(page, 'people')
})

/** Writes pictures for a look at the screens, where a folder for them is given. */
async function capture(page: Page, name: string) {
  const folder = process.env.SUSPENSION_PICTURES
  if (!folder) return
  for (const width of [360, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
}
