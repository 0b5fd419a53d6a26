import type { Page } from '@playwright/test'
import { answer } from './house/deal.ts'
import { ask, begins, meet, requests, saleOf } from './house/ground.ts'
import { aPerson, fillIn, type Person } from './house/person.ts'
import { expect, type Profile, test } from './house/test.ts'

// What somebody sees on coming back: by the shared link, to a list of requests, to a countdown that has gone on.

const civic = { make: 'Honda', carModel: 'Civic', price: 12_500 }
const noSuchPage = /^GET \/car 404$/

// R-accounts-32, R-cars-17, R-cars-19
test('the shared link tells everybody how they stand with the car, until it is sold', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const [sam, ann, ben] = [aPerson('Sam', 'Seller'), aPerson('Ann', 'First'), aPerson('Ben', 'Second')]
  const car = { ...civic, vin: '2HGFC2F53KH517204', year: 2019 }
  const { administrator, seller, comes, link } = await meet(openProfile, product, sam, car)
  const [first, second, stranger] = [await comes(ann), await comes(ben), await openProfile()]
  const looks = async ({ page }: Profile) => {
    await page.goto(`/car?${link}`)
    return page
  }
  const asked: string[] = []
  stranger.page.on('request', (request) => asked.push(new URL(request.url()).pathname))

  await test.step('those who have begun go on, in the wizard or with the request', async () => {
    await begins(first, link)
    await requests(second, link, 12_300)
    for (const buyer of [first, second]) {
      const page = await looks(buyer)
      await expect(page.getByText('You have begun to buy this car.')).toBeVisible()
      await expect(continueOn(page)).toHaveAttribute('href', `/buyer?${link}`)
    }
    await continueOn(first.page).click()
    await expect(first.page.getByRole('heading', { name: 'Do You Have A Trade?' })).toBeVisible()
  })

  await test.step('the confirmed buyer is told so, the other one who waits and a stranger that another is', async () => {
    await requests(first, link, 12_000)
    await confirms(seller, link, ann)
    const page = await looks(first)
    await expect(page.getByText('You are the confirmed buyer.')).toBeVisible()
    await expect(page.getByText('another buyer')).toBeHidden()
    await expect(page.getByText('Sale pending')).toBeHidden()
    await continueOn(page).click()
    await expect(page.getByText(`${sam.name} has confirmed you as the buyer.`)).toBeVisible()
    const other = await looks(second)
    await expect(other.getByText('The seller has confirmed another buyer.')).toBeVisible()
    await expect(continueOn(other)).toBeVisible()
    const passing = await looks(stranger)
    await expect(passing.getByText('The seller has confirmed another buyer.')).toBeVisible()
    await expect(passing.getByRole('button', { name: 'Sale pending' })).toBeDisabled()
    expect(asked.filter((path) => /^\/(user|cars|auth)\b/.test(path))).toEqual([])
  })

  await test.step('an ended session is not renewed on it', async () => {
    const renewals: string[] = []
    first.page.on('request', (request) => renewals.push(new URL(request.url()).pathname))
    await first.context.clearCookies({ name: /at$/ })
    const page = await looks(first)
    await expect(page.getByRole('button', { name: 'Sale pending' })).toBeDisabled()
    await page.waitForLoadState('networkidle')
    expect(renewals).not.toContain('/auth/refresh')
    await page.goto('/home')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
  })

  await test.step('once it is sold, the link leads only its two parties to their deal, and who lost it to what became of it', async () => {
    await signs(seller, link, 'SELLER', sam)
    await signs(first, link, 'BUYER', ann)
    const { pkgId } = await ask(first, `GET /progress/pkg/id/${pathOf(link)}`)
    await ask(administrator, `POST /progress/complete/${pkgId}`)
    stranger.watch.expects(noSuchPage)
    const bought = await looks(first)
    await expect(bought.getByText('You have bought this car.')).toBeVisible()
    await continueOn(bought).click()
    await expect(bought.getByText('The dealer has completed the sale.')).toBeVisible()
    const sold = await looks(seller)
    await expect(sold.getByText('You have sold this car.')).toBeVisible()
    await sold.getByRole('link', { name: 'To your car' }).click()
    await expect(sold.getByText('Congratulations! Your deal is complete!')).toBeVisible()
    await expect((await looks(stranger)).getByText('This link is invalid.')).toBeVisible()
    const lost = await looks(second)
    await expect(lost.getByText('This car was sold to another buyer.')).toBeVisible()
    await continueOn(lost).click()
    await expect(lost.getByRole('heading', { name: 'The car was sold to another buyer.' })).toBeVisible()
  })
})

// R-deals-28
test('before confirming, the seller reads what a buyer has changed, old and new', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const [sam, ann, ben] = [aPerson('Sam', 'Seller'), aPerson('Ann', 'First'), aPerson('Ben', 'Second')]
  const car = { ...civic, vin: '19XFC2F69LE018335', year: 2020 }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const [first, second] = [await comes(ann), await comes(ben)]
  const { page } = seller
  await requests(first, link, 12_700)
  await requests(second, link, 12_000)
  await page.goto(`/car/seller?${link}`)
  const [annsRow, bensRow] = [rowOf(page, ann), rowOf(page, ben)]

  await test.step('the bell and the row tell what became of the offer and of its signature', async () => {
    await signs(second, link, 'BUYER', ben)
    await expect(bensRow).toContainText('Has signed this offer')
    await offers(second, link, 12_300)
    await expect(bensRow).toContainText('$12,300')
    await expect(bensRow).toContainText('Has to sign again: the signature no longer counts')
    await expect(annsRow).toContainText('Has not signed yet')
    await page.goto('/home')
    const bell = page.getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName(/unread$/)
    await bell.click()
    const news = page.getByRole('link', {
      name: `${ben.name} changed the offer for your 2020 Honda Civic LE from $12,000 to $12,300.`,
    })
    await expect(news).toBeVisible()
    await page.getByRole('button', { name: 'Mark all read' }).click()
    await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Mark all read' })).toBeHidden()
    await news.click()
    await expect(page).toHaveURL(`/car/seller?${link}`)
    await expect(news).toBeHidden()
    await expect(bell).toHaveAccessibleName('Notifications')
  })

  await test.step('the timeline of the request opens and stays up to date', async () => {
    await bensRow.getByRole('button', { name: `Timeline and messages: ${ben.name}` }).click()
    const story = page.getByRole('dialog', { name: `What has happened: ${ben.name}` })
    const changes = story.getByRole('listitem').filter({ hasText: 'Changed the price' })
    await expect(changes.getByRole('deletion')).toHaveText('$12,000')
    await expect(changes.getByRole('insertion')).toHaveText('$12,300')
    await expect(story).toContainText(ben.name)
    await expect(story).not.toContainText(ann.name)
    await offers(second, link, 12_400)
    await expect(changes.first().getByRole('insertion')).toHaveText('$12,400')
    await page.keyboard.press('Escape')
    await expect(story).toBeHidden()
  })
})

test('a hold that runs out: its clock is right after hours in the cache, and its request says that it has ended', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const [sam, ann, ben] = [aPerson('Sam', 'Seller'), aPerson('Ann', 'First'), aPerson('Ben', 'Second')]
  const car = { ...civic, vin: 'SHHFK7H44JU206611', year: 2018 }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const [first, second] = [await comes(ann), await comes(ben)]
  const { page } = seller
  await requests(first, link, 12_000)
  await requests(second, link, 12_400)
  await confirms(seller, link, ben)
  await signs(seller, link, 'SELLER', sam)

  await test.step('hours later the clock has gone on, before anything new is there', async () => {
    await page.goto(`/car/seller?${link}`)
    await expect(page.getByRole('timer')).toHaveText('2 days 23 h left')
    // From now on the page has only what it has loaded already.
    await page.route('**/progress/**', () => {})
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    await page.clock.setSystemTime(Date.now() + 5 * 3_600_000)
    await page.getByRole('link', { name: /^(Open|View) deal/ }).click()
    await expect(page.getByRole('timer')).toHaveText('2 days 18 h left')
    seller.watch.mayLoseRequests(true)
    await page.unrouteAll()
  })

  await test.step('the request whose hold has ended says so, though another one is older', async () => {
    await product.endHoldOn(car.vin)
    await page.clock.setSystemTime(Date.now())
    await page.goto(`/car/seller?${link}`)
    await expect(page.getByText(`The 72 hours ended without ${ben.name}'s signature.`)).toBeVisible()
    await expect(rowOf(page, ben)).toContainText('The 72 hours ended without this signature')
    await expect(rowOf(page, ann)).toContainText('Has not signed yet')
  })

  await test.step('confirmed once more, it is no longer said', async () => {
    await confirms(seller, link, ben)
    await expect(page.getByText('Your turn: sign the agreement').first()).toBeVisible()
    await expect(page.getByText('Your car is free again')).toBeHidden()
  })
})

test('a wish for financing follows the price that is agreed on, upwards too', { tag: '@full' }, async ({
  openProfile,
  product,
}) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const car = { ...civic, vin: 'JHMFA16586S014772', year: 2006 }
  const { seller, comes, link } = await meet(openProfile, product, sam, car)
  const { page } = await comes(bea)
  await page.goto(`/buyer?${link}`)
  await answer(page, 'Do You Have A Trade?', 'No')
  await answer(page, 'Do You Need Financing?', 'Yes')
  await fillIn(page, { 'Down payment (optional)': '2000' })
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await fillIn(page, { 'Agreed price': '12000' })
  await page.getByRole('button', { name: 'Submit Request' }).click()
  await expect(page.getByRole('heading', { name: 'Read and sign' })).toBeVisible()
  await seller.page.goto(`/car/seller?${link}`)
  const row = rowOf(seller.page, bea)
  await expect(row).toContainText('Wants financing: $10,000 over 60 months, $2,000 down')
  const [{ _id }] = await ask(seller, `GET /cars/${saleOf(link).userId}`)
  await ask(seller, `PUT /cars/update-price/${_id}`, { newPrice: 13_000 })
  await expect(row).toContainText('Wants financing: $11,000 over 60 months, $2,000 down')
})

const rowOf = (page: Page, { name }: Person) =>
  page.getByRole('table', { name: 'Requests' }).getByRole('row', { name })
const continueOn = (page: Page) => page.getByRole('link', { name: 'Continue', exact: true })
const pathOf = (link: string) => `${saleOf(link).userId}/${saleOf(link).vin}`

async function confirms(seller: Profile, link: string, buyer: Person) {
  const [car] = await ask(seller, `GET /cars/${saleOf(link).userId}`)
  const waiting: { buyer: { _id: string; email: string } }[] = await ask(
    seller,
    `GET /cars/requests/${car._id}`,
  )
  const request = waiting.find(({ buyer: { email } }) => email === buyer.email)
  await ask(seller, 'PATCH /cars/buyer', { ...saleOf(link), buyerId: request?.buyer._id, status: 'ACCEPTED' })
}

const offers = (buyer: Profile, link: string, price: number) =>
  ask(buyer, 'PATCH /cars/buyer', { ...saleOf(link), price, status: 'PENDING' })

const signs = (who: Profile, link: string, userType: 'SELLER' | 'BUYER', { name }: Person) => {
  const side = userType.toLowerCase()
  const signature = { [`${side}Signed`]: true, [`${side}SignedName`]: name, [`${side}Signature`]: name }
  return ask(who, 'PATCH /progress/update', {
    ...saleOf(link),
    data: { userType, step: [], agreementSigned: true, consent: true, ...signature },
  })
}
