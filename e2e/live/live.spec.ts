import type { Locator } from '@playwright/test'
import { becomes, packageIdOf } from '../house/demo.ts'
import { administers, ask, joins, requests, sells, signs } from '../house/ground.ts'
import { openLine } from '../house/line.ts'
import { confirms } from '../house/meanwhile.ts'
import { aPerson } from '../house/person.ts'
import { expect, type Profile, test } from '../house/test.ts'
import { requestOf } from '../house/trade.ts'

const pickup = '2013 Ford F-150 Platinum'

/** On a quiet machine a change is seen within a second; a busy one is only told apart from a page that waits for its next reading. */
const liveMs = 5_000
/** A page whose stream was cut connects again after some seconds. */
const afterCutMs = 20_000

// R-notifications-19
test('seller, buyer and wholesaler see each step of the others live, through a cut line and a restart', {
  tag: '@full',
}, async ({ openProfile, product }) => {
  const [sam, bea] = [aPerson('Sam', 'Seller'), aPerson('Bea', 'Buyer')]
  const line = await openLine(product.origin)
  const administrator = await openProfile()
  const seller = await openProfile()
  const buyer = await openProfile({ baseURL: line.origin })
  const victor = await openProfile()
  await administers(administrator, product)
  await joins(seller, administrator, 'SELLER', sam)
  await joins(buyer, administrator, 'BUYER', bea)
  await becomes('victor', victor)
  const link = await sells(seller, {
    vin: '2HGFC2F5XKH541206',
    make: 'Honda',
    carModel: 'Civic',
    year: 2019,
    price: 12_500,
  })
  const trades = await buyer.context.newPage()
  await seller.page.goto(`/car/seller?${link}`)
  await expect(seller.page.getByText('No buyer information available')).toBeVisible()
  await victor.page.goto('/wholesaler')
  await expect(victor.page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await trades.goto('/trade')
  await expect(trades.getByRole('heading', { level: 1 }).first()).toBeVisible()
  const happened = ({ page }: Profile, what: string) =>
    page.getByRole('list', { name: 'What has happened' }).getByText(what).first()

  await test.step('a request, and its confirmation', async () => {
    await seen('the request', () => requests(buyer, link, 12_000), [
      seller.page.getByRole('row', { name: bea.name }).getByText('$12,000').first(),
    ])
    await buyer.page.goto(`/buyer?${link}`)
    await expect(happened(buyer, 'Submitted a request')).toBeVisible()
    await seen('the confirmation', () => confirms(seller, link), [
      buyer.page.getByText(`${sam.name} has confirmed you as the buyer.`).first(),
    ])
  })

  await test.step('a trade, its offer and a counter offer', async () => {
    const atVictor = requestOf(victor.page, bea.name)
    let id = ''
    await seen('the trade', async () => (id = await addsPickup(buyer)), [atVictor.first()])
    await seen('its offer', () => ask(victor, `PATCH /trades/${id}`, { status: 'OFFERED', price: 20_000 }), [
      trades.getByRole('button', { name: `Answer offer: ${pickup}` }),
    ])
    await seen(
      'the counter offer',
      () => ask(buyer, `PATCH /trades/${id}`, { status: 'OFFER', price: 21_500 }),
      [atVictor.getByText('COUNTER OFFER').first()],
    )
  })

  await test.step('the seller signs while the buyer’s line is cut', async () => {
    buyer.watch.mayLoseRequests(true)
    await line.cut()
    await signs(seller, link, 'SELLER', sam.name)
    await seen(
      'the signature, from the moment on when the line was mended',
      () => line.mend(),
      [happened(buyer, 'Signed as seller')],
      afterCutMs,
    )
    buyer.watch.mayLoseRequests(false)
  })

  await test.step('the server is restarted, and the buyer signs', async () => {
    const all = [seller, buyer, victor]
    for (const { watch } of all) watch.mayLoseRequests(true)
    await product.restart()
    await seen(
      'the other signature, just after a restart',
      () => signs(buyer, link, 'BUYER', bea.name),
      [happened(seller, 'The deal was passed on to the dealer')],
      afterCutMs,
    )
    await expect(happened(buyer, 'The deal was passed on to the dealer')).toBeVisible()
    for (const { watch } of all) watch.mayLoseRequests(false)
  })

  await test.step('the sale is handed over', async () => {
    const pkgId = await packageIdOf(link, buyer)
    await seen('the hand-over', () => ask(administrator, `POST /progress/complete/${pkgId}`), [
      seller.page.getByRole('heading', { name: 'Congratulations! Your deal is complete!' }),
      buyer.page.getByText('The dealer has completed the sale.'),
    ])
  })

  await line.end()
})

/** Does it, and measures from its answer until the others' screens show it. */
async function seen(
  what: string,
  act: () => Promise<unknown>,
  screens: readonly Locator[],
  withinMs = liveMs,
): Promise<void> {
  await act()
  const began = performance.now()
  await Promise.all(screens.map((screen) => screen.waitFor({ timeout: withinMs })))
  process.stdout.write(`seen live after ${Math.round(performance.now() - began)} ms: ${what}\n`)
}

async function addsPickup(owner: Profile): Promise<string> {
  const { _id } = await ask(owner, 'POST /trades', {
    vin: '1FTFW1ET7DFC10466',
    make: 'Ford',
    carModel: 'F-150',
    year: 2013,
    trim: 'Platinum',
    mileage: 91_000,
    color: 'Blue',
    payoff: false,
    zipCode: '48201',
  })
  return _id
}
