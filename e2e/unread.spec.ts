import { sign } from './house/deal.ts'
import { becomes } from './house/demo.ts'
import { aSale, requests } from './house/ground.ts'
import {
  asks,
  button,
  confirms,
  deafPageOf,
  expectFocusIn,
  expectFocusOnTitle,
  expectNews,
  fromMenu,
  mends,
  reprices,
  withdraws,
} from './house/meanwhile.ts'
import { aPerson, fillIn } from './house/person.ts'
import { expect, type Profile, test } from './house/test.ts'

// Nobody decides on what they have not read, neither on what is still loading nor on what somebody else has just done.
// When the thing being decided on ends in the meantime, the page says so.

test('a seller can save details only after the requests are loaded and it is said whose signature that voids', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { bea, seller, buyer, comes, link } = await aSale(openProfile, product, '2HGFC2F50KH530663')
  const ben = aPerson('Ben', 'Second')
  const second = await comes(ben)
  await requests(buyer, link, 12_200)
  await signs(buyer, link, bea.name, '$12,200')
  const { page } = seller
  const dialog = page.getByRole('dialog', { name: 'Edit Car Details' })

  await test.step('while they cannot be loaded, nothing is saved', async () => {
    seller.watch.expects(/^GET \/cars\/requests\/\w+ 503$/)
    await page.route('**/cars/requests/*', (route) => route.fulfill({ status: 503 }))
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Edit details').click()
    await fillIn(dialog, { Mileage: '61400' })
    await expect(button(dialog, 'Save')).toBeDisabled()
    await expect(dialog.getByRole('alert')).toContainText('Keyturn is out of reach for a moment.')
    await page.unroute('**/cars/requests/*')
    await button(dialog, 'Try Again').click()
    await expect(dialog.getByRole('alert')).toBeHidden()
    await expect(dialog.getByLabel('Mileage')).toHaveValue(/^61,?400$/)
  })

  await test.step('once they are read, the signature is named before it is lost', async () => {
    await button(dialog, 'Save').click()
    await expect(dialog.getByRole('status')).toContainText(bea.name)
    await expect(dialog.getByRole('status')).toContainText('sign')
    await expect(button(dialog, 'Save new terms')).toBeEnabled()
  })

  await test.step('a request that comes in between is read first', async () => {
    await requests(second, link, 12_400)
    await expectNews(dialog, [`${ben.name}: Has asked for this car at $12,400.`])
    await expect(dialog.getByRole('button', { name: /^Save/ })).toBeDisabled()
    await button(dialog, 'Continue with the new details').click()
    await expect(dialog.getByLabel('Mileage')).toHaveValue('61,400')
    await button(dialog, 'Save').click()
    await button(dialog, 'Save new terms').click()
    await expect(dialog).toBeHidden()
    await buyer.page.goto(`/buyer?${link}`)
    await expect(buyer.page.getByText('The terms have changed since you signed.')).toBeVisible()
  })

  await test.step('what was typed before a reload comes back without undoing what has changed since', async () => {
    await button(page, 'Edit details').click()
    await fillIn(dialog, { Color: 'Red' })
    await page.reload()
    await mends(seller, link, 62_000)
    await expect(page.getByText('62,000 miles').first()).toBeVisible()
    await button(page, 'Edit details').click()
    await expect(dialog.getByLabel('Color')).toHaveValue('Red')
    await expect(dialog.getByLabel('Mileage')).toHaveValue('62,000')
  })
})

test('before releasing a buyer, the seller is told that the buyer has signed, and can leave them a message', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { bea, seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F59KH530774')
  await requests(buyer, link, 12_200)
  await confirms(seller, link)
  const news = [`${bea.name}: Has signed the agreement.`]
  const releasing = async (page: Profile['page']) => {
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Release Buyer').click()
    const dialog = page.getByRole('dialog', { name: 'Release Buyer' })
    await expect(dialog).toContainText(`Release ${bea.name}?`)
    return dialog
  }

  await test.step('the page hears of it', async () => {
    const dialog = await releasing(seller.page)
    await fillIn(dialog, { 'A message for the buyer (optional)': 'My son takes it after all.' })
    await signs(buyer, link, bea.name, '$12,200')
    await expectNews(dialog, news)
    await expect(button(dialog, 'Release Buyer')).toBeDisabled()
    await button(dialog, 'Continue with the change').press('Enter')
    await expect(dialog).toContainText(`${bea.name} has already signed`)
    await expect(dialog.getByLabel('A message for the buyer (optional)')).toHaveValue(
      'My son takes it after all.',
    )
    await expectFocusIn(dialog)
    await button(dialog, 'Release Buyer').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByRole('heading', { name: 'Request Rejected' })).toBeVisible()
    await expect(buyer.page.getByText('My son takes it after all.').first()).toBeVisible()
  })

  await test.step('the page does not hear of it: the server does not take it, and the second click releases', async () => {
    await reprices(buyer, link, 12_300)
    await confirms(seller, link)
    const page = await deafPageOf(seller)
    seller.watch.expects(/^PATCH \/cars\/buyer 409$/)
    const dialog = await releasing(page)
    await signs(buyer, link, bea.name, '$12,300')
    await button(dialog, 'Release Buyer').click()
    await expectNews(dialog, news)
    await button(dialog, 'Continue with the change').click()
    await button(dialog, 'Release Buyer').click()
    await expect(dialog).toBeHidden()
    await expect(buyer.page.getByRole('heading', { name: 'Request Rejected' })).toBeVisible()
    await page.close()
  })
})

test('when a buyer withdraws while the seller signs or reads their timeline, the page says so', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const { sam, bea, seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F57KH530885')
  const { page } = seller

  await test.step('while the seller signs', async () => {
    await requests(buyer, link, 12_200)
    await confirms(seller, link)
    await page.goto(`/car/seller?${link}`)
    await button(page, 'Sign Agreement').click()
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: sam.name, Signature: `/s/ ${sam.name}` })
    // The page refetches what is gone.
    seller.watch.expects(/^GET \/progress\/timeline\/\w+\/\w+ 404$/)
    await withdraws(buyer, link)
    await expect(agreement).toBeHidden()
    const notice = page.getByRole('status').filter({ hasText: `${bea.name} has withdrawn` })
    await expect(notice).toContainText('Your car is free for other buyers again.')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

  await test.step('it is said once', async () => {
    await page.reload()
    await expect(page.getByText('No requests yet.').first()).toBeVisible()
    await expect(page.getByText('has withdrawn')).toBeHidden()
  })

  await test.step('while the seller reads', async () => {
    await requests(buyer, link, 12_200)
    await button(page, `Timeline and messages: ${bea.name}`).click()
    const story = page.getByRole('dialog', { name: `What has happened: ${bea.name}` })
    await expect(story.getByText('Submitted a request')).toBeVisible()
    await withdraws(buyer, link)
    await expect(story.getByRole('alert')).toHaveText(
      'This request is no longer there: the buyer has withdrawn it.',
    )
    await story.getByRole('button', { name: 'Close' }).last().click()
    await expect(story).toBeHidden()
    await expect(page.getByText('No requests yet.').first()).toBeVisible()
  })
})

test('after the news, keyboard focus moves to the start of the decision', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const { bea, seller, buyer, link } = await aSale(openProfile, product, '2HGFC2F55KH530996')
  const { page } = buyer

  await test.step('of an agreement', async () => {
    await requests(buyer, link, 12_200)
    await page.goto(`/buyer?${link}`)
    await button(page, 'Sign Agreement').click()
    const agreement = page.getByRole('dialog', { name: 'Vehicle Sale Agreement' })
    await fillIn(agreement, { Name: bea.name })
    await asks(seller, link, 12_600)
    await expectNews(agreement, [
      'Agreed price: It was $12,200, it is now $12,600.',
      'Left to pay: It was $12,200, it is now $12,600.',
    ])
    await button(agreement, 'Show the new terms').press('Enter')
    await expectFocusOnTitle(agreement)
    await expect(agreement.getByLabel('Name', { exact: true })).toHaveValue(bea.name)
  })
})

// R-deals-56
test('a buyer is told whose signature falls before they can do what ends it', { tag: '@full' }, async ({
  openProfile,
}) => {
  await test.step('their own, as soon as the dialog opens', async () => {
    const elena = await openProfile()
    await becomes('elena', elena)
    const { page } = elena
    // The row is enough to say it: nothing else is loaded first.
    await page.route('**/progress/**', () => {})
    await page.goto('/home?view=buying')
    await fromMenu(page, 'Edit: 2019 Kia Soul Plus')
    const price = page.getByRole('dialog', { name: 'Edit Price' })
    await expect(price.getByText('You have signed this offer. If you go on,')).toBeVisible()
    await button(price, 'Cancel').click()
    await fromMenu(page, 'Delete: 2019 Kia Soul Plus')
    const end = page.getByRole('dialog', { name: 'Delete Request' })
    await expect(end.getByText('Your signature ends with it.')).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await test.step('what a trade is part of is read before it can be deleted', async () => {
    const marcus = await openProfile()
    await becomes('marcus', marcus)
    const { page, watch } = marcus
    watch.expects(/^GET \/progress\/\w+\/\w+ 503$/)
    await page.route('**/progress/**', (route) => route.fulfill({ status: 503 }))
    await page.goto('/trade')
    await page.getByRole('button', { name: 'Delete the request for your 2011 Toyota Prius Three' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Request' })
    await expect(dialog.getByRole('alert')).toContainText('Keyturn is out of reach for a moment.')
    await expect(button(dialog, 'Delete')).toBeDisabled()
    await page.unroute('**/progress/**')
    await button(dialog, 'Try Again').click()
    await expect(
      dialog.getByText('This trade-in is part of your request for the 2018 Honda Civic'),
    ).toBeVisible()
    await expect(button(dialog, 'Delete')).toBeEnabled()
  })
})

async function signs(buyer: Profile, link: string, name: string, price: string) {
  await buyer.page.goto(`/buyer?${link}`)
  await sign(buyer.page, name, price)
}
