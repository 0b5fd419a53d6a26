import type { Page } from '@playwright/test'
import {
  acceptChanges,
  addCarPhoto,
  button,
  changeOffer,
  chooseFromMenu,
  confirmBuyer,
  denyRequest,
  expectChanges,
  expectPrice,
  openPageWithoutEvents,
  reviewChanges,
  withdrawRequest,
} from './support/concurrent-changes.ts'
import { fillIn } from './support/person.ts'
import { callApi, civicName, createSale, requestCar, saleParams, submitSignature } from './support/setup.ts'
import { expect, test } from './support/test.ts'

// A person decides on something that the other party has just changed. Either an event updates the
// page first, or the server rejects the request. Both show the change and take one more click.

const message = 'A message for the buyer (optional)'

test('shows the buyer’s changes before the seller denies, releases or confirms', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { sam, bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F58KH530118')
  const { page } = seller
  const openDialog = async (title: string, name = title, on = page) => {
    await on.goto(`/car/seller?${link}`)
    await button(on, name).click()
    return on.getByRole('dialog', { name: title })
  }
  // Open pages refetch the timeline of a request that has been withdrawn.
  for (const { watch } of [seller, buyer]) watch.allowErrors(/^GET \/progress\/timeline\/\w+\/\w+ 404$/)

  await test.step('shows the old and the new offer before a denial', async () => {
    await requestCar(buyer, link, 12_200)
    await buyer.page.goto(`/buyer?${link}`)
    const dialog = await openDialog('Deny this request', 'Deny')
    await fillIn(dialog, { [message]: 'Too low, sorry.' })
    await reviewChanges(dialog, 'Deny', () => changeOffer(buyer, link, 12_300), [
      'Offered price: $12,200 → $12,300',
    ])
    await expect(dialog).toContainText(`${bea.name}, $12,300`)
    await expect(dialog.getByLabel(message)).toBeFocused()
    await button(dialog, 'Deny').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByRole('heading', { name: 'Request Turned Down' })).toBeVisible()
    await expect(buyer.page.getByText('Too low, sorry.').first()).toBeVisible()
  })

  await test.step('rejects a denial on a page without events, and keeps the typed message', async () => {
    await changeOffer(buyer, link, 12_350)
    const stale = await openPageWithoutEvents(seller)
    seller.watch.allowErrors(/^PATCH \/cars\/buyer 409$/)
    const dialog = await openDialog('Deny this request', 'Deny', stale)
    await fillIn(dialog, { [message]: 'Still too low.' })
    await changeOffer(buyer, link, 12_400)
    await button(dialog, 'Deny').click()
    await expectChanges(dialog, ['Offered price: $12,350 → $12,400'])
    await acceptChanges(dialog)
    await button(dialog, 'Deny').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByText('Still too low.').first()).toBeVisible()
    await stale.close()
  })

  await test.step('shows the buyer’s signature before a release', async () => {
    await changeOffer(buyer, link, 12_450)
    await confirmBuyer(seller, link)
    const dialog = await openDialog('Release Buyer')
    await fillIn(dialog, { [message]: 'My son takes it after all.' })
    await reviewChanges(dialog, 'Release Buyer', () => submitSignature(buyer, link, 'BUYER', bea.name), [
      `${bea.name}: Has signed the agreement.`,
    ])
    await expect(dialog).toContainText(`${bea.name} has already signed`)
    await expect(dialog.getByLabel(message)).toHaveValue('My son takes it after all.')
    await button(dialog, 'Release Buyer').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByText('My son takes it after all.').first()).toBeVisible()
    await expect(
      page.getByText(`You turned down the request from ${bea.name}. This buyer may ask again.`),
    ).toBeVisible()
    await expect(page.getByText('No buyer information available')).toBeHidden()
  })

  await test.step('closes the agreement of a withdrawn request, with a notice that appears once', async () => {
    await changeOffer(buyer, link, 12_500)
    await confirmBuyer(seller, link)
    const agreement = await openDialog('Vehicle Sale Agreement', 'Sign Agreement')
    await fillIn(agreement, { Name: sam.name })
    await withdrawRequest(buyer, link)
    await expect(agreement).toBeHidden()
    const notice = page.getByRole('status').filter({ hasText: `${bea.name} has withdrawn` })
    await expect(notice).toContainText('Your car is available to other buyers again.')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.reload()
    await expect(page.getByText('No buyer information available')).toBeVisible()
    await expect(page.getByText('has withdrawn')).toBeHidden()
  })

  await test.step('does not allow denying a withdrawn request', async () => {
    await requestCar(buyer, link, 12_200)
    const dialog = await openDialog('Deny this request', 'Deny')
    await withdrawRequest(buyer, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'This request no longer exists: the buyer has withdrawn it.',
    )
    await expect(button(dialog, 'Deny')).toBeHidden()
  })

  await test.step('does not allow confirming a withdrawn or denied request', async () => {
    await requestCar(buyer, link, 12_200)
    const dialog = await openDialog('Confirm Intended Buyer', `Confirm Intended Buyer: ${bea.name}`)
    await expect(dialog).toContainText(`Confirm ${bea.name} as your buyer for $12,200?`)
    await withdrawRequest(buyer, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'This request no longer exists: the buyer has withdrawn it.',
    )
    await expect(button(dialog, 'Confirm Buyer')).toBeHidden()
    await requestCar(buyer, link, 12_300)
    await openDialog('Confirm Intended Buyer', `Confirm Intended Buyer: ${bea.name}`)
    await denyRequest(seller, link, '')
    await expect(dialog.getByRole('alert')).toHaveText('This request has been turned down in the meantime.')
    await expect(button(dialog, 'Confirm Buyer')).toBeHidden()
  })
})

test('shows changes before the seller prices, edits or deletes a listing', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F54KH530441')
  const { page } = seller
  const openDeletion = async (on: Page) => {
    await on.goto('/home?view=selling')
    await chooseFromMenu(on, `Delete: ${civicName}`)
    const dialog = on.getByRole('dialog', { name: 'Delete Car' })
    await expect(button(dialog, 'Delete')).toBeEnabled()
    return dialog
  }

  await test.step('shows a request before the listing is deleted', async () => {
    const dialog = await openDeletion(page)
    await reviewChanges(dialog, 'Delete', () => requestCar(buyer, link, 12_200), [
      `${bea.name}: Has requested this car at $12,200.`,
    ])
    await expect(dialog).toContainText(`The request from ${bea.name} ($12,200) will also end.`)
    await button(dialog, 'Cancel').click()
  })

  await test.step('shows another offer before the asking price changes, which leaves it as it is', async () => {
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit price').click()
    await fillIn(page, { 'New asking price': '12400' })
    await expect(page.getByText('Buyers’ offers stay as they are.')).toBeVisible()
    await reviewChanges(page.getByRole('main'), 'Save', () => changeOffer(buyer, link, 12_450), [
      `${bea.name}: $12,200 → $12,450`,
    ])
    await expect(page.getByLabel('New asking price')).toHaveValue('12,400')
    await button(page, 'Save').click()
    await expect(page.getByLabel('New asking price')).toBeHidden()
    await expectPrice(buyer, link, 12_450)
  })

  // R-deals-56
  await test.step('loads the requests before details are saved, and names the signatures that saving voids', async () => {
    await submitSignature(buyer, link, 'BUYER', bea.name)
    seller.watch.allowErrors(/^GET \/cars\/requests\/\w+ 503$/)
    await page.route('**/cars/requests/*', (route) => route.fulfill({ status: 503 }))
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit details').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Car Details' })
    await fillIn(dialog, { Mileage: '61400' })
    await expect(button(dialog, 'Save')).toBeDisabled()
    await expect(dialog.getByRole('alert')).toContainText('Keyturn is unavailable right now.')
    await page.unroute('**/cars/requests/*')
    await button(dialog, 'Try Again').click()
    await expect(dialog.getByRole('alert')).toBeHidden()
    const changes = { vin: saleParams(link).vin, color: 'Red' }
    await reviewChanges(dialog, 'Save', () => callApi(seller, 'PATCH /cars/edit', changes), [
      'Color: Silver → Red',
    ])
    await expect(dialog.getByLabel('Mileage')).toHaveValue('61,400')
    await expect(dialog.getByLabel('Color')).toHaveValue('Red')
    await button(dialog, 'Save').click()
    await expect(dialog.getByRole('status')).toContainText(
      `${bea.name} has already signed it. Once you save, that signature no longer counts`,
    )
    await button(dialog, 'Save new terms').click()
    await expect(dialog).toBeHidden()
  })

  await test.step('saves a description although a photo was added without an event', async () => {
    const stale = await openPageWithoutEvents(seller)
    seller.watch.allowErrors(/^PUT \/cars\/describe\/\w+ 409$/)
    await stale.goto(`/car/seller?${link}`)
    await button(stale, 'Describe your car').click()
    await fillIn(stale, { 'About the car': 'One owner.' })
    await addCarPhoto(seller, link)
    const conflict = stale.waitForResponse((response) => response.status() === 409)
    await button(stale, 'Save').click()
    await conflict
    await expect(stale.getByText('Your description is saved.')).toBeVisible()
    await expect(stale.getByText('One owner.')).toBeVisible()
    await stale.close()
  })

  await test.step('deletes the listing only on a second click when the page missed the event of a changed offer', async () => {
    const stale = await openPageWithoutEvents(seller)
    seller.watch.allowErrors(/^DELETE \/cars\/delete\/SELLER\/\w+\/\w+ 409$/)
    const dialog = await openDeletion(stale)
    await changeOffer(buyer, link, 12_350)
    await button(dialog, 'Delete').click()
    await expectChanges(dialog, [`${bea.name}: $12,450 → $12,350`])
    await acceptChanges(dialog)
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(stale.getByText('You have no cars listed.')).toBeVisible()
    await stale.close()
  })
})
