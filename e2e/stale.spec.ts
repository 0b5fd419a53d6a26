import type { Page } from '@playwright/test'
import { sign } from './house/deal.ts'
import { becomes } from './house/demo.ts'
import { ask, meet, requests } from './house/ground.ts'
import {
  asks,
  button,
  confirms,
  deafPageOf,
  dealOf,
  denies,
  expectNews,
  mends,
  releases,
  reprices,
  withdraws,
} from './house/meanwhile.ts'
import { aPerson, fillIn } from './house/person.ts'
import { expect, type Profile, test } from './house/test.ts'

// Two people at once: what one of them is about to send was written on what the other has just changed. Either the
// page hears of it in time, or the server refuses; both times it takes one more click on what is now read.

const civic = { make: 'Honda', carModel: 'Civic', year: 2019, price: 12_500 }
const namesOfCar = '2019 Honda Civic LE'

test('a denial is written while the buyer changes the price', async ({ openProfile, product }) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const { seller, comes, link } = await meet(openProfile, product, sam, {
    ...civic,
    vin: '2HGFC2F58KH530118',
  })
  const buyer = await comes(bea)
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

  await test.step('and of one that is taken back there is nothing to deny', async () => {
    await reprices(buyer, link, 12_450)
    const dialog = await denial(seller.page, 'Much too low.')
    // The purchase stands open at the buyer's, and asks once more for what is gone.
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

test('a price is changed on the dashboard while the seller changes it, too', async ({
  openProfile,
  product,
}) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const car = { ...civic, vin: '2HGFC2F56KH530229' }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const buyer = await comes(bea)
  await requests(buyer, link, 12_200)
  const editing = async (page: Page, price?: string) => {
    await page.goto('/home?view=buying')
    await page.getByRole('button', { name: `Edit: ${namesOfCar}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    if (price) await fillIn(dialog, { 'Your price': price })
    return dialog
  }

  await test.step('the page hears of it', async () => {
    const dialog = await editing(buyer.page, '12250')
    await asks(seller, link, 12_600)
    await expectNews(dialog, ['Your price: It was $12,200, it is now $12,600.'])
    await expect(button(dialog, 'Save')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,250')
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_250)
  })

  await test.step('the page does not hear of it', async () => {
    const page = await deafPageOf(buyer)
    buyer.watch.expects(/^PATCH \/cars\/buyer 409$/)
    const dialog = await editing(page, '12300')
    await asks(seller, link, 12_700)
    await button(dialog, 'Save').click()
    await expectNews(dialog, ['Your price: It was $12,250, it is now $12,700.'])
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_300)
    await page.close()
  })

  await test.step('a field in which nothing has been typed follows; a denial is told with its message', async () => {
    const dialog = await editing(buyer.page)
    await denies(seller, link, 'Meet me at 12,500.')
    await expectNews(dialog, [
      'Status: The seller has rejected it.',
      "The seller's message: Meet me at 12,500.",
    ])
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,300')
    await fillIn(dialog, { 'Your price': '12500' })
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_500)
    const again = await editing(buyer.page)
    await asks(seller, link, 12_550)
    await button(again, 'Continue with the change').click()
    await expect(again.getByLabel('Your price')).toHaveValue('12,550')
    await button(again, 'Cancel').click()
  })

  await test.step('a price is offered for the car as it was read', async () => {
    const dialog = await editing(buyer.page, '12520')
    await mends(seller, link, 61_300)
    await expectNews(dialog, ['Mileage: It was 61,200, it is now 61,300.'])
    await expect(button(dialog, 'Save')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await expect(dialog.getByLabel('Your price')).toHaveValue('12,520')
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectPrice(buyer, link, 12_520)
  })

  await test.step('one that is confirmed meanwhile leads to the deal', async () => {
    const dialog = await editing(buyer.page, '12200')
    await confirms(seller, link)
    await expect(dialog.getByRole('alert')).toHaveText(
      'The seller has confirmed your request. Its price stands now.',
    )
    await dialog.getByRole('link', { name: 'View deal' }).click()
    await expect(buyer.page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
  })

  await test.step('it is deleted only by who knows that it is confirmed', async () => {
    await releases(seller, link)
    await reprices(buyer, link, 12_500)
    await buyer.page.goto('/home?view=buying')
    await buyer.page.getByRole('button', { name: `Delete: ${namesOfCar}` }).click()
    const dialog = buyer.page.getByRole('dialog', { name: 'Delete Request' })
    await confirms(seller, link)
    await expectNews(dialog, ['Status: The seller has confirmed your request. Its price stands now.'])
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByText('You have no purchases yet.')).toBeVisible()
  })

  await test.step('the only row goes, and the dialog says so', async () => {
    await requests(buyer, link, 12_300)
    const dialog = await editing(buyer.page, '12350')
    await withdraws(buyer, link)
    await expect(dialog.getByRole('alert')).toContainText('This request is no longer there.')
    await expect(dialog.getByLabel('Your price')).toHaveValue(/^12,?350$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
  })
})

test('a price is typed in the guided purchase while the seller changes it', async ({
  openProfile,
  product,
}) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const car = { ...civic, vin: '2HGFC2F56KH530330' }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const buyer = await comes(bea)
  await requests(buyer, link, 12_200)
  const typing = async (page: Page, price: string) => {
    await page.goto(`/buyer?${link}`)
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await fillIn(page, { 'Agreed price': price })
    return page.getByRole('main')
  }

  await test.step('the page hears of it', async () => {
    const form = await typing(buyer.page, '12250')
    await asks(seller, link, 12_600)
    await expectNews(form, [
      'Your price: It was $12,200, it is now $12,600.',
      'Asking price: It was $12,500, it is now $12,600.',
    ])
    await expect(button(form, 'Submit Request')).toBeDisabled()
    await button(form, 'Continue with the change').click()
    await expect(form.getByLabel('Agreed price')).toHaveValue('12,250')
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_250)
  })

  await test.step('the page does not hear of it', async () => {
    const page = await deafPageOf(buyer)
    buyer.watch.expects(/^POST \/cars\/request 409$/)
    const form = await typing(page, '12300')
    await asks(seller, link, 12_700)
    await button(form, 'Submit Request').click()
    await expectNews(form, [
      'Your price: It was $12,250, it is now $12,700.',
      'Asking price: It was $12,600, it is now $12,700.',
    ])
    await button(form, 'Continue with the change').click()
    await expect(form.getByRole('alert')).toBeHidden()
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_300)
    await page.close()
  })

  await test.step('the car is another one than was read: heard of by one page, not by the other', async () => {
    const form = await typing(buyer.page, '12320')
    await mends(seller, link, 61_300)
    await expectNews(form, ['Mileage: It was 61,200, it is now 61,300.'])
    await expect(button(form, 'Submit Request')).toBeDisabled()
    await button(form, 'Continue with the change').click()
    await expect(form.getByLabel('Agreed price')).toHaveValue('12,320')
    await button(form, 'Submit Request').click()
    await expect(form.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    const page = await deafPageOf(buyer)
    const deaf = await typing(page, '12310')
    await mends(seller, link, 61_400)
    await button(deaf, 'Submit Request').click()
    await expectNews(deaf, ['Mileage: It was 61,300, it is now 61,400.'])
    await button(deaf, 'Continue with the change').click()
    await button(deaf, 'Submit Request').click()
    await expect(deaf.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await page.close()
  })

  await test.step('after the signature, which the new price voids: what was typed outlives the stage', async () => {
    const { page } = buyer
    await page.goto(`/buyer?${link}`)
    await sign(page, bea.name, '$12,310')
    await expect(page.getByRole('heading', { name: 'Your deal is complete!' })).toBeVisible()
    await button(page, 'Edit Price').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    await fillIn(dialog, { 'Your price': '12350' })
    await asks(seller, link, 12_800)
    await expectNews(dialog, [
      'Your price: It was $12,310, it is now $12,800.',
      'Asking price: It was $12,700, it is now $12,800.',
    ])
    await expect(dialog.getByLabel('Your price')).toHaveValue(/^12,?350$/)
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
    await expectPrice(buyer, link, 12_350)
  })
})

test('the seller is asked which buyer it is, while one of them leaves', async ({ openProfile, product }) => {
  const [sam, bea, ben] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer'), aPerson('Ben', 'Second')]
  const car = { ...civic, vin: '2HGFC2F53KH530663' }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const [buyer, second] = [await comes(bea), await comes(ben)]
  await requests(buyer, link, 12_200)
  const { page } = seller
  const confirming = async () => {
    await button(page, 'Confirm Intended Buyer').click()
    return page.getByRole('dialog', { name: 'Confirm Intended Buyer' })
  }

  await test.step('while the requests are not there, it is not said that nobody asks', async () => {
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

  await test.step('who is left is whom it is about', async () => {
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
    await button(dialog, 'Confirm Buyer').click()
    await expect(page.getByText('Buyer Confirmed!')).toBeVisible()
    await button(page, 'Go to the agreement').click()
  })

  await test.step('and of the only one, who is denied in another window, that is said', async () => {
    await releases(seller, link)
    await reprices(second, link, 12_350)
    await expect(page.getByText('$12,350').first()).toBeVisible()
    const dialog = await confirming()
    await denies(seller, link, '')
    await expect(dialog.getByRole('alert')).toHaveText('This request has been denied meanwhile.')
    await expect(button(dialog, 'Confirm Buyer')).toBeHidden()
  })
})

test('a listing is deleted, or priced anew, while a request arrives', async ({ openProfile, product }) => {
  const [sam, bea, ben] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer'), aPerson('Ben', 'Second')]
  const car = { ...civic, vin: '2HGFC2F54KH530441' }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const [buyer, second] = [await comes(bea), await comes(ben)]
  const deleting = async (page: Page) => {
    await page.goto('/home?view=selling')
    await page.getByRole('button', { name: `Delete: ${namesOfCar}` }).click()
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

  await test.step('a new asking price is not put over an offer that nobody has read', async () => {
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

  await test.step('who is denied in another window has not left', async () => {
    await requests(second, link, 12_300)
    const dialog = await deleting(seller.page)
    await expect(dialog).toContainText(`${ben.name} ($12,300)`)
    await denies(seller, link, '', (await dealOf(second, link)).buyerId)
    await expectNews(dialog, [`${ben.name}: This request has been denied meanwhile.`])
    await button(dialog, 'Continue with the change').click()
    await expect(dialog).not.toContainText(ben.name)
    await button(dialog, 'Cancel').click()
  })

  await test.step('details that are typed stay when others are changed in another window', async () => {
    const { page } = seller
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit details').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Car Details' })
    await fillIn(dialog, { Mileage: '61400' })
    await ask(seller, 'PATCH /cars/edit', { vin: car.vin, color: 'Red', mileage: 61_300 })
    await expectNews(dialog, [
      'Mileage: It was 61,200, it is now 61,300.',
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

test('a trade is deleted while an offer for it arrives', async ({ openProfile, product }) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const { comes } = await meet(openProfile, product, sam, { ...civic, vin: '2HGFC2F52KH530552' })
  const [owner, victor] = [await comes(bea), await openProfile()]
  await becomes('victor', victor)
  const trade = { make: 'Ford', carModel: 'F-150', year: 2013, trim: 'XLT', mileage: 91_000, color: 'Blue' }
  const { _id } = await ask(owner, 'POST /trades', {
    ...trade,
    vin: '1FTFW1ET7DFC20417',
    payoff: false,
    zipCode: '48201',
  })
  const offers = (price: number) => ask(victor, `PATCH /trades/${_id}`, { status: 'OFFERED', price })
  const deleting = async (page: Page) => {
    await page.goto('/trade')
    await page.getByRole('button', { name: 'Delete the request for your 2013 Ford F-150 XLT' }).click()
    return page.getByRole('dialog', { name: 'Delete Request' })
  }

  await test.step('the page hears of it', async () => {
    const dialog = await deleting(owner.page)
    await offers(9_000)
    await expect(dialog).toContainText('This has changed since you opened it.')
    await expect(dialog).toContainText('Amount: It was none, it is now $9,000.')
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await button(dialog, 'Show how it stands now').click()
    await expect(button(dialog, 'Delete')).toBeEnabled()
    await button(dialog, 'Cancel').click()
  })

  await test.step('the page does not hear of it: the second click deletes', async () => {
    await ask(owner, `PATCH /trades/${_id}`, { status: 'OFFER', price: 9_500 })
    const page = await deafPageOf(owner)
    owner.watch.expects(/^DELETE \/trades\/\w+ 409$/)
    const dialog = await deleting(page)
    await offers(9_300)
    await button(dialog, 'Delete').click()
    await expect(dialog).toContainText('$9,300')
    await button(dialog, 'Show how it stands now').click()
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('You have not added any cars.')).toBeVisible()
    await page.close()
  })
})

async function expectPrice(buyer: Profile, link: string, price: number) {
  await expect.poll(async () => (await dealOf(buyer, link)).price).toBe(price)
}
