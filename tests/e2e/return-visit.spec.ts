import { button, changeOffer, confirmBuyer } from './support/concurrent-changes.ts'
import { expectHeading } from './support/page/heading.ts'
import { civicName, createSale, requestCar, submitSignature } from './support/setup.ts'
import { expect, test } from './support/test.ts'

// R-deals-28
test('shows what a buyer changed, and the current time left, when the seller returns', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { sam, bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F53KH517204')
  const { page } = seller
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row', { name: bea.name })
  await requestCar(buyer, link, 12_000)
  await page.goto(`/car/seller?${link}`)

  await test.step('shows changes to the offer and the signature in the row and the notifications', async () => {
    await expect(row).toContainText('Has not signed yet')
    await submitSignature(buyer, link, 'BUYER', bea.name)
    await expect(row).toContainText('Has signed this offer')
    await changeOffer(buyer, link, 12_300)
    await expect(row).toContainText('$12,300')
    await expect(row).toContainText('Has to sign again: the signature no longer counts')
    await page.goto('/home')
    const bell = page.getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName(/unread$/)
    await bell.click()
    const news = page.getByRole('link', {
      name: `${bea.name} changed the offer for your ${civicName} from $12,000 to $12,300.`,
    })
    await expect(news).toBeVisible()
    await button(page, 'Mark all read').click()
    await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused()
    await expect(button(page, 'Mark all read')).toBeHidden()
    await news.click()
    await expect(page).toHaveURL(`/car/seller?${link}`)
    await expect(news).toBeHidden()
    await expect(bell).toHaveAccessibleName('Notifications')
  })

  await test.step('updates the request’s open timeline', async () => {
    await button(page, `Timeline: ${bea.name}`).click()
    const timeline = page.getByRole('dialog', { name: `Timeline: ${bea.name}` })
    const change = timeline.getByRole('listitem').filter({ hasText: 'Changed the offer' }).first()
    await expect(change.getByRole('deletion')).toHaveText('$12,000')
    await expect(change.getByRole('insertion')).toHaveText('$12,300')
    await changeOffer(buyer, link, 12_400)
    await expect(change.getByRole('insertion')).toHaveText('$12,400')
    await page.keyboard.press('Escape')
    await expect(timeline).toBeHidden()
  })

  await test.step('counts a hold down from hours-old data', async () => {
    await confirmBuyer(seller, link)
    await submitSignature(seller, link, 'SELLER', sam.name)
    await page.goto(`/car/seller?${link}`)
    await expect(page.getByRole('timer')).toHaveText('2 days, 23 hours left')
    // From here on, the page has only the data that it has already loaded.
    await page.route('**/progress/**', () => {})
    await page.getByRole('link', { name: 'Back' }).click()
    await expectHeading(page, 'Dashboard')
    await page.clock.setSystemTime(Date.now() + 5 * 3_600_000)
    await page.getByRole('link', { name: /^(Open|View) deal/ }).click()
    await expect(page.getByRole('timer')).toHaveText('2 days, 18 hours left')
    seller.watch.allowFailedRequests(true)
    await page.unrouteAll()
  })
})
