import type { Page, Request } from '@playwright/test'
import {
  acceptChanges,
  button,
  changeMileage,
  changeOffer,
  chooseFromMenu,
  confirmBuyer,
  denyRequest,
  expectChanges,
  expectPrice,
  openPageWithoutEvents,
  releaseBuyer,
  reviewChanges,
  setAskingPrice,
  withdrawRequest,
} from './support/concurrent-changes.ts'
import { signInAs } from './support/demo.ts'
import { fillIn } from './support/person.ts'
import { civicName, createSale, requestCar } from './support/setup.ts'
import { expect, test } from './support/test.ts'
import { createTrade, pickupName, tradeRequestOf } from './support/trade.ts'

// A person decides on something that the other party has just changed. Either an event updates the
// page first, or the server rejects the request. Both show the change and take one more click.

test('shows the seller’s changes before the buyer changes a price or deletes a request', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F56KH530229')
  await requestCar(buyer, link, 12_200)
  const { page } = buyer
  const openEditing = async (price?: string) => {
    await page.goto('/home?view=buying')
    await chooseFromMenu(page, `Edit: ${civicName}`)
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    if (price) await fillIn(dialog, { 'Your offer': price })
    return dialog
  }

  await test.step('keeps a typed price, and updates an untouched field', async () => {
    const dialog = await openEditing('12250')
    await reviewChanges(dialog, 'Save', () => setAskingPrice(seller, link, 12_600), [
      'Asking price: $12,500 → $12,600',
    ])
    await expect(dialog.getByLabel('Your offer')).toHaveValue('12,250')
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_250)
    await openEditing()
    await reviewChanges(dialog, 'Save', () => denyRequest(seller, link, 'Meet me at 12,500.'), [
      'Status: The seller has turned it down.',
      "The seller's message: Meet me at 12,500.",
    ])
    await fillIn(dialog, { 'Your offer': '12500' })
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await openEditing()
    await changeOffer(buyer, link, 12_550)
    await acceptChanges(dialog)
    await expect(dialog.getByLabel('Your offer')).toHaveValue('12,550')
  })

  await test.step('leads to the deal when the request has been confirmed', async () => {
    const dialog = await openEditing('12200')
    await confirmBuyer(seller, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'The seller has confirmed your request. Its price is now the agreed price.',
    )
    await dialog.getByRole('link', { name: 'View deal' }).click()
    await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
  })

  await test.step('deletes a confirmed request only after showing that it is confirmed', async () => {
    await releaseBuyer(seller, link)
    await changeOffer(buyer, link, 12_500)
    await page.goto('/home?view=buying')
    await chooseFromMenu(page, `Delete: ${civicName}`)
    const dialog = page.getByRole('dialog', { name: 'Delete Request' })
    await reviewChanges(dialog, 'Delete', () => confirmBuyer(seller, link), [
      'Status: The seller has confirmed your request. Its price is now the agreed price.',
    ])
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('You have no purchases yet.')).toBeVisible()
  })

  await test.step('reports in the dialog that the request was withdrawn', async () => {
    await requestCar(buyer, link, 12_300)
    const dialog = await openEditing('12350')
    await withdrawRequest(buyer, link)
    await expect(dialog.getByRole('alert')).toContainText('This request no longer exists.')
    await expect(dialog.getByLabel('Your offer')).toHaveValue(/^12,?350$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
  })
})

test('keeps a price typed in a purchase while the seller changes the car and the price', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F56KH530330')
  await requestCar(buyer, link, 12_200)
  const typePrice = async (page: Page, price: string) => {
    await page.goto(`/buyer?${link}`)
    // Going back cancels pending reads and refetches the purchase. Without this wait, the page
    // might already read the change that follows.
    const refetched = page.waitForEvent('requestfinished', isProgress)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await refetched
    await fillIn(page, { 'Agreed price': price })
    return page.getByRole('main')
  }

  await test.step('when the page gets events', async () => {
    const form = await typePrice(buyer.page, '12250')
    await reviewChanges(form, 'Submit Request', () => setAskingPrice(seller, link, 12_600), [
      'Asking price: $12,500 → $12,600',
    ])
    await expect(form.getByLabel('Agreed price')).toHaveValue('12,250')
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_250)
  })

  await test.step('when the page gets no events', async () => {
    const page = await openPageWithoutEvents(buyer)
    buyer.watch.allowErrors(/^POST \/cars\/request 409$/)
    const form = await typePrice(page, '12310')
    await changeMileage(seller, link, 61_400)
    await button(form, 'Submit Request').click()
    await expectChanges(form, ['Mileage: 61,200 miles → 61,400 miles'])
    await acceptChanges(form)
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_310)
  })
})

// R-deals-56
test('warns a buyer before an action that voids a signature', { tag: '@full' }, async ({ openProfile }) => {
  await test.step('mentions the buyer’s own signature as soon as the dialog opens', async () => {
    const elena = await openProfile()
    await signInAs('elena', elena)
    const { page } = elena
    // The dashboard's row has the data, so no other request is needed first.
    await page.route('**/progress/**', () => {})
    await page.goto('/home?view=buying')
    await chooseFromMenu(page, 'Edit: 2019 Kia Soul Plus')
    const price = page.getByRole('dialog', { name: 'Edit Price' })
    await expect(price.getByText('You have signed this offer. If you continue,')).toBeVisible()
    await button(price, 'Cancel').click()
    await chooseFromMenu(page, 'Delete: 2019 Kia Soul Plus')
    const end = page.getByRole('dialog', { name: 'Delete Request' })
    await expect(end.getByText('If you delete the request, your signature no longer counts.')).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('loads the request that contains a trade before the trade can be deleted', async () => {
    const marcus = await openProfile()
    await signInAs('marcus', marcus)
    const { page, watch } = marcus
    watch.allowErrors(/^GET \/progress\/\w+\/\w+ 503$/)
    await page.route('**/progress/**', (route) => route.fulfill({ status: 503 }))
    await page.goto('/trade')
    await button(page, 'Delete the request for your 2011 Toyota Prius Three').click()
    const dialog = page.getByRole('dialog', { name: 'Delete Request' })
    await expect(dialog.getByRole('alert')).toContainText('Keyturn is unavailable right now.')
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await page.unroute('**/progress/**')
    await button(dialog, 'Try Again').click()
    await expect(dialog).toContainText('This trade-in is part of your request for the 2018 Honda Civic')
    await expect(button(dialog, 'Delete')).toBeEnabled()
  })
})

test('shows changes to a trade before it gets an offer or an answer, or is deleted', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const trade = await createTrade(openProfile, product, '1FTFW1ET9DFC20418')
  const { bea, owner, victor, makeOffer, counterOffer } = trade
  const { page } = owner
  const deleting = page.getByRole('dialog', { name: 'Delete Request' })

  await test.step('shows an offer before the trade is deleted, and focuses the heading', async () => {
    await page.goto('/trade')
    await button(page, `Delete the request for your ${pickupName}`).click()
    const changes = [/^Status: .+ → /, 'Amount: none → $9,000']
    await reviewChanges(deleting, 'Delete', () => makeOffer(9_000), changes)
    await expect(deleting.getByRole('heading').first()).toBeFocused()
    await button(deleting, 'Cancel').click()
  })

  await test.step('shows a new offer before the previous one is answered', async () => {
    await button(page, `Answer offer: ${pickupName}`).click()
    const dialog = page.getByRole('dialog', { name: 'Offer Details' })
    await button(dialog, 'Counter Offer').click()
    await fillIn(dialog, { 'Your counter offer': '9700' })
    await counterOffer(9_500)
    await makeOffer(9_300)
    await expectChanges(dialog, ['Amount: $9,000 → $9,300'])
    await acceptChanges(dialog)
    await expect(dialog.getByLabel('Your counter offer')).toHaveValue(/^9,?700$/)
    await page.keyboard.press('Escape')
  })

  await test.step('shows a new counter offer before the previous one is answered', async () => {
    await counterOffer(9_600)
    await victor.page.goto('/wholesaler')
    await button(tradeRequestOf(victor.page, bea.name), `Submit Offer: ${pickupName}`).click()
    const dialog = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await fillIn(dialog, { 'Offer amount': '9400' })
    await makeOffer(9_450)
    await counterOffer(9_550)
    await expectChanges(dialog, ['Amount: $9,600 → $9,550'])
    await expect(button(dialog, 'Submit Offer')).toBeDisabled()
    await acceptChanges(dialog)
    await expect(dialog.getByLabel('Offer amount')).toBeFocused()
    await expect(dialog.getByLabel('Offer amount')).toHaveValue(/^9,?400$/)
  })
})

const isProgress = (request: Request) =>
  request.method() === 'GET' && /^\/progress\/\w{24}\/\w+$/.test(new URL(request.url()).pathname)
