import type { Locator, Page } from '@playwright/test'
import { acceptChanges, button, chooseFromMenu } from './support/concurrent-changes.ts'
import { withoutResponses } from './support/network.ts'
import { fillIn } from './support/person.ts'
import { callApi, civicName, createSale, requestCar } from './support/setup.ts'
import { expect, type Profile, test } from './support/test.ts'
import { createTrade, pickupName, tradeRequestOf } from './support/trade.ts'

// A change was made but its response was lost. The page does not present that change as somebody
// else's, and repeating the click completes it.

const offlineMessage = 'Keyturn cannot be reached. Please check your connection and try again.'

/**
 * Sends a change whose response is lost, waits until an event makes the page show the change, and
 * sends it again.
 */
async function sendTwice(profile: Profile, path: string, send: Locator, arrived: Locator) {
  const { page } = profile
  await withoutResponses(profile, path, async () => {
    await send.click()
    await expect(page.getByText(offlineMessage)).toBeVisible()
    await expect(arrived).toBeVisible()
  })
  await expect(page.getByRole('button', { name: /^(Continue with|Show the current state)/ })).toBeHidden()
  await expect(page.getByText('no longer there')).toBeHidden()
  await send.click()
}

/** Also finds rows behind a dialog. */
const inRow = (page: Page, words: string) =>
  page.getByRole('row', { includeHidden: true }).getByText(words).first()

// R-safe-10
test('applies a change once when it is sent again after its response was lost', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, link } = await createSale(openProfile, product, '2HGFC2F51KH540113')
  await requestCar(buyer, link, 12_200)
  const [sellers, buyers] = [seller.page, buyer.page]
  const pricing = sellers.getByLabel('New asking price')
  const underAsking = (difference: string) => inRow(sellers, `${difference} under your asking price`)
  const repricing = buyers.getByRole('dialog', { name: 'Edit Price' })
  const openOffer = async (price: string) => {
    await chooseFromMenu(buyers, `Edit: ${civicName}`)
    await fillIn(repricing, { 'Your offer': price })
  }

  await test.step('sets the asking price', async () => {
    await sellers.goto(`/car/seller?${link}`)
    await button(sellers, 'Edit price').click()
    await pricing.fill('12700')
    await sendTwice(seller, '**/cars/update-price/*', button(sellers, 'Save'), underAsking('$500'))
    await expect(pricing).toBeHidden()
    await expectOnce(sellers, bea.name, 'Changed the asking price')
  })

  await test.step('edits a detail of the car that was signed', async () => {
    await button(sellers, 'Edit details').click()
    const dialog = sellers.getByRole('dialog', { name: 'Edit Car Details' })
    await fillIn(dialog, { Mileage: '61300' })
    await button(dialog, 'Save').click()
    const mileage = sellers.getByRole('definition').getByText('61,300')
    await sendTwice(seller, '**/cars/edit', button(dialog, 'Save new terms'), mileage)
    await expect(dialog).toBeHidden()
    await expectOnce(sellers, bea.name, 'Changed the car’s details')
  })

  await test.step('changes the offer', async () => {
    await buyers.goto('/home?view=buying')
    await openOffer('12300')
    await sendTwice(buyer, '**/cars/buyer', button(repricing, 'Save'), inRow(buyers, '$12,300'))
    await expect(repricing).toBeHidden()
    await expectOnce(sellers, bea.name, 'Changed the offer')
  })

  await test.step('reports the stored price when a different one is sent', async () => {
    await button(sellers, 'Edit price').click()
    await pricing.fill('12800')
    await withoutResponses(seller, '**/cars/update-price/*', async () => {
      await button(sellers, 'Save').click()
      await expect(underAsking('$500')).toBeVisible()
    })
    seller.watch.allowErrors(/^PUT \/cars\/update-price\/\w+ 409$/)
    await pricing.fill('12900')
    await button(sellers, 'Save').click()
    await expect(sellers.getByText('This has changed since you opened it.')).toBeVisible()
    await acceptChanges(sellers.getByRole('main'))
    await button(sellers, 'Save').click()
    await expect(underAsking('$600')).toBeVisible()
  })

  await test.step('denies the request with a message', async () => {
    await button(sellers, 'Deny').click()
    const dialog = sellers.getByRole('dialog', { name: 'Deny this request' })
    await fillIn(dialog, { 'A message for the buyer (optional)': 'Too low, sorry.' })
    await sendTwice(seller, '**/cars/buyer', button(dialog, 'Deny'), sellers.getByText('REJECTED'))
    await expect(dialog).toBeHidden()
    await expectOnce(sellers, bea.name, 'Denied the request')
  })

  await test.step('sends a denied request again with a new price', async () => {
    await expect(buyers.getByRole('button', { name: /^See answer/ })).toBeVisible()
    await openOffer('12950')
    await sendTwice(buyer, '**/cars/buyer', button(repricing, 'Save'), inRow(buyers, 'PENDING'))
    await expect(repricing).toBeHidden()
    await expect(inRow(sellers, '$12,950')).toBeVisible()
  })

  await test.step('deletes the request', async () => {
    await chooseFromMenu(buyers, `Delete: ${civicName}`)
    const dialog = buyers.getByRole('dialog', { name: 'Delete Request' })
    const none = buyers.getByText('You have no purchases yet.')
    await sendTwice(buyer, '**/cars/delete/BUYER/**', button(dialog, 'Delete'), none)
    await expect(dialog).toBeHidden()
  })

  await test.step('deletes the listing', async () => {
    await sellers.goto('/home?view=selling')
    await chooseFromMenu(sellers, `Delete: ${civicName}`)
    const dialog = sellers.getByRole('dialog', { name: 'Delete Car' })
    const none = sellers.getByText('You have no cars listed.')
    await sendTwice(seller, '**/cars/delete/SELLER/**', button(dialog, 'Delete'), none)
    await expect(dialog).toBeHidden()
  })
})

test('applies an offer, a counter offer and an acceptance once when their responses were lost', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { id, bea, owner, victor, makeOffer } = await createTrade(openProfile, product, '1FTFW1ET6DFC20527')
  const details = owner.page.getByRole('dialog', { name: 'Offer Details' })

  await test.step('makes the offer', async () => {
    const { page } = victor
    const dialog = page.getByRole('dialog', { name: 'Submit Trade-In Offer' })
    await page.goto('/wholesaler')
    await button(tradeRequestOf(page, bea.name), `Submit Offer: ${pickupName}`).click()
    await fillIn(dialog, { 'Offer amount': '9000' })
    const offered = page.locator('li', { hasText: bea.name }).getByText('OFFERED').first()
    await sendTwice(victor, '**/trades/*', button(dialog, 'Submit Offer'), offered)
    await expect(page.getByText(`Offered $9,000 for the ${pickupName}.`)).toBeVisible()
  })

  await test.step('makes the counter offer', async () => {
    const { page } = owner
    await page.goto('/trade')
    await button(page, `Answer offer: ${pickupName}`).click()
    await button(details, 'Counter Offer').click()
    await fillIn(details, { 'Your counter offer': '9700' })
    await sendTwice(owner, '**/trades/*', button(details, 'Counter'), inRow(page, '$9,700'))
    const countered = page.getByRole('dialog', { name: 'Counter Offer' })
    await expect(countered).toContainText('$9,700')
    await button(countered, 'Close').last().click()
  })

  await test.step('accepts the counter offer', async () => {
    const { page } = owner
    await makeOffer(9_800)
    await button(page, `Answer offer: ${pickupName}`).click()
    await sendTwice(owner, '**/trades/*', button(details, 'Accept'), inRow(page, 'ACCEPTED'))
    await expect(page.getByRole('dialog', { name: 'Accepted Offer' })).toContainText('$9,800')
    const events: { event: string }[] = await callApi(owner, `GET /trades/${id}/history`)
    expect(events.map(({ event }) => event)).toEqual(['submit', 'offer', 'counter', 'offer', 'accept'])
  })
})

async function expectOnce(page: Page, buyer: string, event: string) {
  await button(page, `Timeline: ${buyer}`).click()
  const timeline = page.getByRole('dialog', { name: `Timeline: ${buyer}` })
  await expect(timeline.getByText(event, { exact: true })).toHaveCount(1)
  await timeline.getByRole('button', { name: 'Close' }).click()
}
