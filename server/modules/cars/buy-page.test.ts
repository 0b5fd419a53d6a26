import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { expect, test } from 'vitest'
import { openAppWithPages, requestPage } from '../../../tests/support/pages.ts'
import { aBuyer } from '../../../tests/support/people.ts'
import { aListing, aSaleAt, confirmBuyer } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()
const app = await openAppWithPages(server)
const { public: texts, buyThisCar } = carTexts
const pathOf = (at: { userId: string; vin: string }) => `/buy-this-car?${new URLSearchParams(at)}`

// R-everywhere-43, R-cars-18
test('renders the car and both forms in the first HTML, without revealing the seller or the buyer', async () => {
  const sale = await aSaleAt(server, 'requested', { payoff: true })
  const { statusCode, body, headers } = await requestPage(app, pathOf(sale.at))
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
  for (const words of [
    buyThisCar.interested,
    '2003 Honda Accord',
    '$9,500',
    '91,000 miles',
    carTexts.owed,
    buyThisCar.submitCreate,
    buyThisCar.submitSignIn,
  ])
    expect(body).toContain(words.replace('&', '&amp;'))
  expect(body.match(/<form[^>]* method="post"/g)).toHaveLength(2)
  for (const secret of [sale.seller.email, sale.seller.phoneNumber, 'Selma', sale.buyer.id])
    expect(body).not.toContain(secret)
  expect(body).toContain('data-visitor="none"')
  // Back keeps the car.
  expect(body).toContain(`<a href="/?userId=${sale.at.userId}&amp;vin=${sale.at.vin}"`)
  expect((await requestPage(app, pathOf(sale.at), sale.buyer)).body).toContain('data-visitor="known"')
})

// R-cars-17
test('explains a pending sale before anybody signs up for it', async () => {
  const sale = await aSaleAt(server, 'requested')
  const read = async () => (await requestPage(app, pathOf(sale.at))).body
  expect(await read()).not.toContain(texts.pendingHint)
  await confirmBuyer(sale)
  expect(await read()).toContain(texts.pendingHint)
})

// R-cars-15
test('reports an invalid link and offers other links', async () => {
  const { at } = await aListing(server)
  const buyer = await aBuyer(server)
  for (const query of ['', '?userId=nobody', `?userId=${'f'.repeat(24)}&vin=${at.vin}`]) {
    const { statusCode, body } = await requestPage(app, `/buy-this-car${query}`)
    expect([query, statusCode]).toEqual([query, 404])
    expect(body).toContain(texts.invalidHint)
    expect(body).toMatch(/href="\/login"[^>]*>Log In/)
    expect(body).toMatch(/href="\/register\/seller"[^>]*>Get Started/)
    expect(body).not.toContain('<form')
    const known = await requestPage(app, `/buy-this-car${query}`, buyer)
    expect(known.body).toMatch(/href="\/home"[^>]*>Go To Dashboard/)
    expect(known.body).not.toMatch(/href="\/(login|register\/seller)"/)
  }
})
