import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aSeller, readEmailsTo } from '../../../../tests/support/people.ts'
import * as moves from '../../../../tests/support/sales/deal-moves.ts'
import {
  aRequest,
  aSaleAt,
  aVin,
  confirmBuyer,
  offerPrice,
  type Sale,
  signAsBuyer,
  signAsSeller,
  step,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { statusAndCode } from '../../../../tests/support/trades.ts'

const server = await startTestServer()

async function goToRequestForm({ buyer, at }: Pick<Sale, 'buyer' | 'at'>) {
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [5], needsFinancing: false })
}

// R-deals-1, R-deals-15
test('rejects a request from an earlier stage, without its fields, or for the caller’s own car', async () => {
  const sale = await aSaleAt(server, 'started')
  const { at, seller, buyer, car } = sale
  const ask = (price: number, more: object = {}) => moves.tryToRequest(sale, price, more)
  expect(await statusAndCode(ask(9000))).toEqual([409, 'StageNotReachable'])
  const empty = await buyer.send(calls.requestCar, { body: {} })
  expect(empty.error.errors).toEqual([
    { path: 'vin', message: 'VIN is required' },
    { path: 'price', message: 'Price is required' },
  ])
  expect((await ask(0)).error.message).toBe('Price is required')
  expect((await ask(12.5)).error.message).toBe('Invalid price.')
  for (const wrong of [{ buyerId: seller.id }, { sellerId: buyer.id }, { vin: aVin() }])
    expect(await statusAndCode(ask(9000, wrong))).toEqual([404, 'NotFound'])
  expect(await statusAndCode(moves.tryToRequest({ buyer: seller, car }, 9000))).toEqual([409, 'OwnCar'])
  await goToRequestForm(sale)
  expect((await ask(9000)).status).toBe(201)
  // Sends the same request again after a step back.
  await step(buyer, at, { step: [5], goBack: true })
  expect((await ask(9000)).status).toBe(200)
  const repeated = await ask(8700)
  expect([repeated.status, repeated.answer]).toMatchObject([200, { price: 870000, status: 'PENDING' }])
})

test('rejects a request for a car with a confirmed buyer', async () => {
  const sale = await aSaleAt(server, 'requested')
  const late = { ...sale, buyer: await aBuyer(server) }
  await late.buyer.ask(calls.startProgress, { body: sale.at })
  await goToRequestForm(late)
  await confirmBuyer(sale)
  expect(await statusAndCode(moves.tryToRequest(late, 9900))).toEqual([409, 'CarUnavailable'])
})

// R-deals-17
test('requires an accepted trade from a buyer who announced one', async () => {
  const sale = await aSaleAt(server, 'started')
  await goToRequestForm(sale)
  await step(sale.buyer, sale.at, { step: [], hasTrade: true })
  expect((await moves.tryToRequest(sale, 9000)).error).toMatchObject({
    errorCode: 'TradeRequired',
    message: 'You must select an accepted trade offer to proceed.',
  })
  const unknown = moves.tryToRequest(sale, 9000, { trades: [aVin()] })
  expect(await statusAndCode(unknown)).toEqual([409, 'TradeUnavailable'])
})

// R-deals-2
test('lists every request to the seller and returns 404 to everyone else', async () => {
  const sale = await aSaleAt(server, 'requested')
  const second = await moves.anotherRequest(server, sale)
  await (await aBuyer(server)).ask(calls.startProgress, { body: sale.at })
  expect((await moves.listRequestsOn(sale)).map(({ buyer, price }) => [buyer._id, price])).toEqual([
    [sale.buyer.id, 900000],
    [second.buyer.id, 930000],
  ])
  for (const person of [sale.buyer, await aSeller(server)])
    expect((await person.send(calls.listRequests, { params: { carId: sale.car._id } })).status).toBe(404)
})

// R-deals-48, R-deals-58
test('shows pending offers, valid signatures, the hold and the dealer on both dashboards', async () => {
  const sale = await aSaleAt(server, 'started')
  const rows = async () => [(await moves.listCarsOf(sale.seller))[0], (await moves.listCarsOf(sale.buyer))[0]]
  const deal = { price: null, sellerSigned: false, buyerSigned: false, exclusiveUntil: null, passedAt: null }
  const none = { agreedPrice: null, waitingOffers: 0, bestOffer: null }
  const asked = { askingPrice: 950000, ...none, dealerName: server.deps.config.dealer.name }
  // The seller does not see a deal without a request.
  expect(await rows()).toMatchObject([
    { ...asked, deal: null },
    { ...asked, deal },
  ])

  await aRequest(sale, sale.buyer, 9000)
  await moves.anotherRequest(server, sale)
  await signAsBuyer(sale)
  const signed = { ...deal, price: 900000, buyerSigned: true }
  expect(await rows()).toMatchObject([
    { deal: signed, agreedPrice: null, waitingOffers: 2, bestOffer: 930000 },
    { deal: signed, ...none },
  ])
  await moves.editCar(sale, { mileage: 92_000 })
  const unsigned = { deal: { ...signed, buyerSigned: false } }
  expect(await rows()).toMatchObject([unsigned, unsigned])

  await offerPrice(sale, 9100)
  await confirmBuyer(sale)
  await signAsSeller(sale)
  const [sellers, buyers] = await rows()
  expect(sellers).toMatchObject({
    price: 950000,
    askingPrice: 950000,
    deal: { price: 910000, sellerSigned: true, buyerSigned: false, exclusiveUntil: expect.any(String) },
    agreedPrice: 910000,
    waitingOffers: 1,
    bestOffer: 930000,
  })
  expect(buyers?.deal).toEqual(sellers?.deal)

  await signAsBuyer(sale)
  const passed = { deal: { buyerSigned: true, passedAt: expect.any(String) } }
  expect(await rows()).toMatchObject([passed, passed])
})

// R-deals-20, R-deals-27
test('makes the car available when the buyer withdraws before both have signed', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  await moves.withdraw(sale)
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
  expect(await moves.listCarsOf(sale.seller)).toMatchObject([{ status: 'PENDING', buyerId: null }])
  await moves.setPrice(sale, 9900)
  expect((await readEmailsTo(server, sale.seller.email))[0]?.subject).toContain('withdrew')
  expect(await statusAndCode(moves.tryToWithdraw(await aSaleAt(server, 'passed')))).toEqual([
    409,
    'DealInProgress',
  ])
})
