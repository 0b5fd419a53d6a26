import type { Page } from '@playwright/test'
import { ask, meet, requests } from './house/ground.ts'
import { button, fromMenu } from './house/meanwhile.ts'
import { withoutAnswers } from './house/network.ts'
import { aPerson, fillIn } from './house/person.ts'
import { expect, test } from './house/test.ts'
import { aTrade, namesOfPickup, requestOf } from './house/trade.ts'

// A change was made but its answer got lost. When the page learns of the change in another way, that is not news to the
// person who made it, and the same click once more finishes it.

const away = 'Keyturn cannot be reached. Please check your connection and try again.'

// R-safe-10
test('a change whose answer got lost takes one more click, and is made once', async ({
  openProfile,
  product,
}) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const car = { make: 'Honda', carModel: 'Civic', year: 2019, price: 12_500, vin: '2HGFC2F51KH540113' }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const buyer = await comes(bea)
  await requests(buyer, link, 12_200)
  const requestRow = seller.page.getByRole('row').filter({ hasText: bea.name })

  await test.step('the asking price', async () => {
    const { page } = seller
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit price').click()
    await fillIn(page, { 'New asking price': '12700' })
    await withoutAnswers(seller, '**/cars/update-price/*', async () => {
      await button(page, 'Save').click()
      await expect(page.getByText(away)).toBeVisible()
      await expect(requestRow).toContainText('$12,700')
    })
    await expectNoNews(page)
    await button(page, 'Save').click()
    await expect(button(page, 'Edit price')).toBeVisible()
    await expectOnce(page, bea.name, 'Changed the asking price')
  })

  await test.step('a detail of the car that is signed', async () => {
    const { page } = seller
    await button(page, 'Edit details').click()
    const dialog = page.getByRole('dialog', { name: 'Edit Car Details' })
    await fillIn(dialog, { Mileage: '61300' })
    await button(dialog, 'Save').click()
    await withoutAnswers(seller, '**/cars/edit', async () => {
      await button(dialog, 'Save new terms').click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(page.getByRole('definition').getByText('61,300')).toBeVisible()
    })
    await expectNoNews(page)
    await button(dialog, 'Save new terms').click()
    await expect(dialog).toBeHidden()
    await expectOnce(page, bea.name, 'Changed the car’s details')
  })

  await test.step("the buyer's price", async () => {
    const { page } = buyer
    await page.goto('/home?view=buying')
    await fromMenu(page, 'Edit: 2019 Honda Civic LE')
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    await fillIn(dialog, { 'Your price': '12300' })
    await withoutAnswers(buyer, '**/cars/buyer', async () => {
      await button(dialog, 'Save').click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(page.getByRole('row', { includeHidden: true }).getByText('$12,300')).toBeVisible()
    })
    await expectNoNews(page)
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expectOnce(seller.page, bea.name, 'Changed the price')
  })

  await test.step('a price typed after that is told which one has arrived', async () => {
    const { page } = seller
    await button(page, 'Edit price').click()
    await fillIn(page, { 'New asking price': '12800' })
    await withoutAnswers(seller, '**/cars/update-price/*', async () => {
      await button(page, 'Save').click()
      await expect(requestRow).toContainText('$12,800')
    })
    seller.watch.expects(/^PUT \/cars\/update-price\/\w+ 409$/)
    await fillIn(page, { 'New asking price': '12900' })
    await button(page, 'Save').click()
    await expect(page.getByText('This has changed since you opened it.')).toBeVisible()
    await button(page, 'Continue with the change').click()
    await button(page, 'Save').click()
    await expect(requestRow).toContainText('$12,900')
  })

  await test.step('the denial', async () => {
    const { page } = seller
    await button(page, 'Deny').click()
    const dialog = page.getByRole('dialog', { name: 'Deny this request' })
    await fillIn(dialog, { 'A message for the buyer (optional)': 'Too low, sorry.' })
    await withoutAnswers(seller, '**/cars/buyer', async () => {
      await button(dialog, 'Deny').click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(page.getByText('REJECTED')).toBeVisible()
    })
    await expectNoNews(page)
    await expect(dialog.getByLabel('A message for the buyer (optional)')).toHaveValue('Too low, sorry.')
    await button(dialog, 'Deny').click()
    await expect(dialog).toBeHidden()
    await expectOnce(page, bea.name, 'Denied the request')
  })

  await test.step('the new price that brings a denied request back', async () => {
    const { page } = buyer
    await expect(page.getByRole('button', { name: /^See answer/ })).toBeVisible()
    await fromMenu(page, 'Edit: 2019 Honda Civic LE')
    const dialog = page.getByRole('dialog', { name: 'Edit Price' })
    await fillIn(dialog, { 'Your price': '12950' })
    await withoutAnswers(buyer, '**/cars/buyer', async () => {
      await button(dialog, 'Save').click()
      await expect(page.getByRole('row', { includeHidden: true }).getByText('PENDING')).toBeVisible()
    })
    await expectNoNews(page)
    await button(dialog, 'Save').click()
    await expect(dialog).toBeHidden()
    await expect(requestRow).toContainText('$12,950')
  })

  await test.step('the end of the request', async () => {
    const { page } = buyer
    await fromMenu(page, 'Delete: 2019 Honda Civic LE')
    const dialog = page.getByRole('dialog', { name: 'Delete Request' })
    await withoutAnswers(buyer, '**/cars/delete/BUYER/**', async () => {
      await button(dialog, 'Delete').click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(page.getByText('You have no purchases yet.')).toBeVisible()
    })
    await expect(dialog).not.toContainText('no longer there')
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
  })

  await test.step('the end of the listing', async () => {
    const { page } = seller
    await page.goto('/home?view=selling')
    await fromMenu(page, 'Delete: 2019 Honda Civic LE')
    const dialog = page.getByRole('dialog', { name: 'Delete Car' })
    await withoutAnswers(seller, '**/cars/delete/SELLER/**', async () => {
      await button(dialog, 'Delete').click()
      await expect(dialog.getByText(away)).toBeVisible()
      await expect(page.getByText('You have no cars listed.')).toBeVisible()
    })
    await expect(dialog).not.toContainText('no longer there')
    await button(dialog, 'Delete').click()
    await expect(dialog).toBeHidden()
  })
})

test('an offer, a counter offer and their acceptance whose answers got lost are made once', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { id, bea, owner, victor, offers } = await aTrade(openProfile, product, '1FTFW1ET6DFC20527')
  const offer = victor.page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
  const details = owner.page.getByRole('dialog', { name: 'Offer Details' })

  await test.step('the offer', async () => {
    const { page } = victor
    await page.goto('/wholesaler')
    await button(requestOf(page, bea.name), `Submit Offer: ${namesOfPickup}`).click()
    await fillIn(offer, { 'Offer amount': '9000' })
    await withoutAnswers(victor, '**/trades/*', async () => {
      await button(offer, 'Submit Offer').click()
      await expect(offer.getByText(away)).toBeVisible()
      await expect(page.locator('li', { hasText: bea.name })).toContainText('OFFERED')
    })
    await expectNoNews(page)
    await button(offer, 'Submit Offer').click()
    await expect(page.getByText(`Offered $9,000 for the ${namesOfPickup}.`)).toBeVisible()
  })

  await test.step('the counter offer', async () => {
    const { page } = owner
    await page.goto('/trade')
    await button(page, `Answer offer: ${namesOfPickup}`).click()
    await button(details, 'Counter Offer').click()
    await fillIn(details, { 'Your counter offer': '9700' })
    await withoutAnswers(owner, '**/trades/*', async () => {
      await button(details, 'Counter').click()
      await expect(details.getByText(away)).toBeVisible()
      await expect(page.getByRole('row', { includeHidden: true }).getByText('$9,700')).toBeVisible()
    })
    await expectNoNews(page)
    await button(details, 'Counter').click()
    const countered = page.getByRole('dialog', { name: 'Counter Offer' })
    await expect(countered).toContainText('$9,700')
    await button(countered, 'Close').last().click()
  })

  await test.step('the acceptance', async () => {
    const { page } = owner
    await offers(9_800)
    await button(page, `Answer offer: ${namesOfPickup}`).click()
    await withoutAnswers(owner, '**/trades/*', async () => {
      await button(details, 'Accept').click()
      await expect(details.getByText(away)).toBeVisible()
      await expect(page.getByRole('row', { includeHidden: true }).getByText('ACCEPTED')).toBeVisible()
    })
    await expectNoNews(page)
    await button(details, 'Accept').click()
    await expect(page.getByRole('dialog', { name: 'Accepted Offer' })).toContainText('$9,800')
    const events: { event: string }[] = await ask(owner, `GET /trades/${id}/history`)
    const made = events.map(({ event }) => event)
    expect(made).toEqual(['submit', 'offer', 'counter', 'offer', 'accept'])
  })
})

async function expectNoNews(page: Page) {
  await expect(page.getByRole('button', { name: /^(Continue with|Show how it stands)/ })).toBeHidden()
  await expect(page.getByText('no longer there')).toBeHidden()
}

/** In the request's timeline, as its seller reads it. */
async function expectOnce(page: Page, buyer: string, event: string) {
  await button(page, `Timeline and messages: ${buyer}`).click()
  const story = page.getByRole('dialog', { name: `What has happened: ${buyer}` })
  await expect(story.getByText(event, { exact: true })).toHaveCount(1)
  await story.getByRole('button', { name: 'Close' }).click()
}
