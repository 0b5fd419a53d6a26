import type { Page } from '@playwright/test'
import { confirmOnly } from './house/deal.ts'
import { aSale, ask, namesOfCivic, requests, saleOf } from './house/ground.ts'
import {
  button,
  deafPageOf,
  dealOf,
  denies,
  expectNews,
  expectPrice,
  fromMenu,
  photographs,
  releases,
  reprices,
  withdraws,
} from './house/meanwhile.ts'
import { aPerson, fillIn } from './house/person.ts'
import { expect, test } from './house/test.ts'

// Two people at once: one is about to send something based on what the other has just changed. Either the page is told
// in time or the server refuses; in both cases it takes one more click after reading the new state.

test('a denial is written while the buyer changes the price', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F58KH530118')
  await requests(buyer, link, 12_200)
  const denial = async (page: Page, message: string) => {
    await page.goto(`/car/seller?${link}`)
    await page.getByRole('button', { name: 'Deny' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deny this request' })
    await fillIn(dialog, { 'A message for the buyer (optional)': message })
    return dialog
  }

  await test.step('the page hears of it: old and new stand there before anything is sent', async () => {
    const dialog = await denial(seller.page, 'Too low, sorry.')
    await reprices(buyer, link, 12_300)
    await expectNews(dialog, ['Offered price: It was $12,200, it is now $12,300.'])
    await expect(button(dialog, 'Deny')).toBeDisabled()
    await button(dialog, 'Continue with the new request').press('Enter')
    await expect(dialog).toContainText(`${bea.name}, $12,300`)
    await expect(dialog.getByLabel('A message for the buyer (optional)')).toBeFocused()
    await button(dialog, 'Deny').click()
    await expect(dialog).toBeHidden()
    await buyer.page.goto(`/buyer?${link}`)
    await expect(buyer.page.getByRole('heading', { name: 'Request Rejected' })).toBeVisible()
    await expect(buyer.page.getByText('Too low, sorry.').first()).toBeVisible()
  })

  await test.step('the page does not hear of it: the server does not take it, and the message stays', async () => {
    await reprices(buyer, link, 12_350)
    const page = await deafPageOf(seller)
    seller.watch.expects(/^PATCH \/cars\/buyer 409$/)
    const dialog = await denial(page, 'Still too low.')
    await reprices(buyer, link, 12_400)
    await button(dialog, 'Deny').click()
    await expectNews(dialog, ['Offered price: It was $12,350, it is now $12,400.'])
    await button(dialog, 'Continue with the new request').click()
    await expect(dialog.getByRole('alert')).toBeHidden()
    await button(dialog, 'Deny').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByText('Still too low.').first()).toBeVisible()
    await page.close()
  })

  await test.step('a withdrawn request leaves nothing to deny', async () => {
    await reprices(buyer, link, 12_450)
    const dialog = await denial(seller.page, 'Much too low.')
    // The buyer still has the purchase open, and its page refetches what is gone.
    buyer.watch.expects(/^GET \/progress\/timeline\/\w+\/\w+ 404$/)
    await withdraws(buyer, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'This request is no longer there: the buyer has withdrawn it.',
    )
    await expect(button(dialog, 'Deny')).toBeHidden()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
  })
})

test('the seller is asked which buyer it is, while one of them leaves', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, comes, link } = await aSale(openProfile, product, '2HGFC2F53KH530663')
  const ben = aPerson('Ben', 'Second')
  const second = await comes(ben)
  await requests(buyer, link, 12_200)
  const { page } = seller
  const confirming = async () => {
    await button(page, 'Confirm Intended Buyer').click()
    return page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
  }

  await test.step('while the requests are loading, it does not say that nobody asks', async () => {
    const unread = '**/cars/requests/*'
    seller.watch.mayLoseRequests(true)
    await page.route(unread, (route) => route.abort())
    await page.goto(`/car/seller?${link}`)
    const dialog = await confirming()
    await expect(dialog.getByRole('alert')).toContainText('An error has occurred. Please try again later.')
    await expect(dialog).not.toContainText('No buyer information available')
    await page.unroute(unread)
    seller.watch.mayLoseRequests(false)
    await button(dialog, 'Try Again').click()
    await expect(dialog).toContainText(`Confirm ${bea.name}`)
    await button(dialog, 'Close').last().click()
  })

  await test.step('the remaining buyer is the one to decide about', async () => {
    await requests(second, link, 12_300)
    await expect(page.getByText('$12,300').first()).toBeVisible()
    const dialog = await confirming()
    await expect(dialog.getByRole('radio')).toHaveCount(2)
    await expect(button(dialog, 'Confirm Buyer')).toBeDisabled()
    await withdraws(buyer, link)
    await expect(dialog.getByRole('radio')).toHaveCount(0)
    await expect(dialog).toContainText('$12,300')
    await expect(dialog).toContainText(ben.name)
    await expect(button(dialog, 'Deny')).toBeEnabled()
    await confirmOnly(page)
  })

  await test.step('when the only one is denied in another window, the dialog says so', async () => {
    await releases(seller, link)
    await reprices(second, link, 12_350)
    await expect(page.getByText('$12,350').first()).toBeVisible()
    const dialog = await confirming()
    await denies(seller, link, '')
    await expect(dialog.getByRole('alert')).toHaveText('This request has been denied in the meantime.')
    await expect(button(dialog, 'Confirm Buyer')).toBeHidden()
  })
})

test('a listing is deleted, or priced anew, while a request arrives', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, comes, link } = await aSale(openProfile, product, '2HGFC2F54KH530441')
  const ben = aPerson('Ben', 'Second')
  const second = await comes(ben)
  const deleting = async (page: Page) => {
    await page.goto('/home?view=selling')
    await fromMenu(page, `Delete: ${namesOfCivic}`)
    const dialog = page.getByRole('dialog', { name: 'Delete Car' })
    await expect(button(dialog, 'Delete')).toBeEnabled()
    return dialog
  }

  await test.step('the page hears of it', async () => {
    const dialog = await deleting(seller.page)
    await requests(buyer, link, 12_200)
    await expectNews(dialog, [`${bea.name}: Has asked for this car at $12,200.`])
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await expect(dialog).toContainText(`The request of ${bea.name} ($12,200) ends with it.`)
    await expect(button(dialog, 'Delete')).toBeEnabled()
    await button(dialog, 'Cancel').click()
  })

  await test.step('a new asking price does not replace an offer that the seller has not read', async () => {
    const { page } = seller
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit price').click()
    await fillIn(page, { 'New asking price': '12400' })
    await expect(button(page, 'Save')).toBeEnabled()
    await reprices(buyer, link, 12_450)
    const news = page.getByRole('alert')
    await expect(news).toContainText(`${bea.name}: It was $12,200, it is now $12,450.`)
    await expect(button(page, 'Save')).toBeDisabled()
    await button(page, 'Continue with the change').click()
    await expect(page.getByLabel('New asking price')).toHaveValue('12,400')
    await button(page, 'Save').click()
    await expect(page.getByLabel('New asking price')).toBeHidden()
    await expectPrice(buyer, link, 12_400)
  })

  await test.step('a buyer denied in another window is not reported as gone', async () => {
    await requests(second, link, 12_300)
    const dialog = await deleting(seller.page)
    await expect(dialog).toContainText(`${ben.name} ($12,300)`)
    await denies(seller, link, '', (await dealOf(second, link)).buyerId)
    await expectNews(dialog, [`${ben.name}: This request has been denied in the meantime.`])
    await button(dialog, 'Continue with the change').click()
    await expect(dialog).not.toContainText(ben.name)
    await button(dialog, 'Cancel').click()
  })

  await test.step('typed details stay when others are changed in another window', async () => {
    const { page } = seller
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit details').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Car Details' })
    await fillIn(dialog, { Mileage: '61400' })
    await ask(seller, 'PATCH /cars/edit', { vin: saleOf(link).vin, color: 'Red', mileage: 61_300 })
    await expectNews(dialog, [
      'Mileage: It was 61,200 miles, it is now 61,300 miles.',
      'Color: It was Silver, it is now Red.',
    ])
    await expect(button(dialog, 'Save')).toBeDisabled()
    await button(dialog, 'Continue with the new details').click()
    await expect(dialog.getByLabel('Mileage')).toHaveValue('61,400')
    await expect(dialog.getByLabel('Color')).toHaveValue('Red')
    await button(dialog, 'Save').click()
    await button(dialog, 'Save new terms').click()
    await expect(dialog).toBeHidden()
  })

  await test.step('a photo of which the page does not hear keeps no description from being saved', async () => {
    const page = await deafPageOf(seller)
    seller.watch.expects(/^PUT \/cars\/describe\/\w+ 409$/)
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Describe your car').click()
    await fillIn(page, { 'About the car': 'One owner.' })
    await photographs(seller, link)
    const refused = page.waitForResponse((answer) => answer.status() === 409)
    await button(page, 'Save').click()
    await refused
    await expect(page.getByText('Your description is saved.')).toBeVisible()
    await expect(page.getByText('One owner.')).toBeVisible()
    await page.close()
  })

  await test.step('the page does not hear of a second request: the second click deletes', async () => {
    const page = await deafPageOf(seller)
    seller.watch.expects(/^DELETE \/cars\/delete\/SELLER\/\w+\/\w+ 409$/)
    const dialog = await deleting(page)
    await reprices(second, link, 12_350)
    await button(dialog, 'Delete').click()
    await expectNews(dialog, [`${ben.name}: Has asked for this car at $12,350.`])
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('You have no cars listed.')).toBeVisible()
    await second.page.goto('/home?view=buying')
    await expect(second.page.getByText('You have no purchases yet.')).toBeVisible()
    await page.close()
  })
})
