import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { listRequestsOn, setPrice, tryToRequest } from '../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  confirmBuyer,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'

const server = await startTestServer()

/** A request at $9,000 for a car of $9,500, whose loan was calculated for the asking price. */
async function aFinancedRequest(wish: object) {
  const sale = await aSaleAt(server, 'started')
  const { buyer, at } = sale
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [4], needsFinancing: true })
  await step(buyer, at, { step: [5], financing: { termMonths: 60, contactConsent: true, ...wish } })
  await tryToRequest(sale, 9000)
  return sale
}

/** Expects this loan in the list of requests and on both parties' progress. */
async function expectAmount(sale: Sale, dollars: number) {
  const [request] = await listRequestsOn(sale)
  const sellersView = await sale.seller.ask(calls.getProgress, { params: sale.at })
  for (const shown of [request, sellersView, await readProgressOf(sale)])
    expect(shown?.financing?.amount).toBe(dollars * 100)
}

// R-deals-14
test('limits the loan to the current price, in the package as well', async () => {
  const sale = await aFinancedRequest({ amount: 9500 })
  await expectAmount(sale, 9000)
  await setPrice(sale, 8500)
  await expectAmount(sale, 8500)
  await confirmBuyer(sale)
  await signAsSeller(sale)
  const { pkgId } = await signAsBuyer(sale)
  const pkg = await sale.seller.ask(endpoints.readPackage, { params: { pkgId: pkgId ?? '' } })
  expect(pkg).toMatchObject({ price: 850000, financing: { amount: 850000, termMonths: 60 } })
})

test('deletes the financing wish when the buyer declines financing', async () => {
  const { buyer, at } = await aFinancedRequest({ amount: 9000 })
  for (const needsFinancing of [false, true])
    expect((await step(buyer, at, { step: [], needsFinancing })).financing).toBe(null)
})
