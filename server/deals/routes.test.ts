import { getUser } from '@keyturn/contract/accounts/calls.ts'
import {
  addCar,
  carByVin,
  lookUpVin,
  publicCarPage,
  removeListing,
  sellersCar,
} from '@keyturn/contract/cars/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import {
  aCar,
  aCarForm,
  aListing,
  aRequest,
  aSaleAt,
  aVin,
  buyerSignature,
  confirm,
  progressOf,
  sellerSignature,
  signAsBuyer,
  signAsSeller,
  step,
  trySteps,
} from '../test/deals.ts'
import { digestOf } from '../test/digest.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, aNewcomer, anAdministrator, aSeller, aWholesaler, mailsTo } from '../test/people.ts'

const house = await openHouse()

test('a sale goes from listing to completion, and both sides read what happened', async () => {
  const sale = await aSaleAt(house, 'completed')
  const progress = await progressOf(sale)
  expect(progress).toMatchObject({
    status: 'COMPLETED',
    completed: true,
    fullySigned: true,
    sellerStep3: true,
    activeBuyerStep: 7,
    sellerSignedName: 'Selma Sanders',
    buyerSignedName: 'Basil Byrd',
  })
  const pkg = await sale.seller.ask(calls.finalPackage, { params: { pkgId: progress.pkgId ?? '' } })
  expect(pkg).toMatchObject({
    price: 900000,
    completed: true,
    seller: { firstName: 'Selma' },
    buyer: { firstName: 'Basil' },
    agreement: { seller: { name: 'Selma Sanders' }, buyer: { name: 'Basil Byrd' } },
  })
  const events = await sale.buyer.ask(calls.timeline, { params: sale.at })
  expect(events.map(({ actor, event }) => `${actor} ${event}`)).toEqual([
    'ADMIN completed',
    'BUYER passed',
    'BUYER buyerSigned',
    'SELLER sellerSigned',
    'SELLER confirmed',
    'BUYER requested',
    'BUYER started',
  ])
})

test('a VIN has one live listing; once the sale is complete it may be listed again', async () => {
  const { car, seller } = await aSaleAt(house, 'passed')
  const second = await aSeller(house)
  const again = await second.send(addCar, { body: aCarForm({ vin: car.vin }) })
  expect([again.status, again.refusal.errorCode]).toEqual([409, 'VinAlreadyListed'])
  const administrator = await anAdministrator(house)
  const { pkgId } = await seller.ask(calls.packageId, { params: { userId: seller.id, vin: car.vin } })
  await administrator.ask(calls.completeDeal, { params: { pkgId } })
  expect((await second.send(addCar, { body: aCarForm({ vin: car.vin }) })).status).toBe(201)
})

test('a car needs the specification’s fields, with its sentences', async () => {
  const seller = await aSeller(house)
  const sent = await seller.send(addCar, {
    body: { vin: 'SHORT', year: 1900, mileage: 0, price: 1.5, payoff: 'no' },
  })
  expect(sent.status).toBe(400)
  const said = Object.fromEntries(sent.refusal.errors?.map(({ path, message }) => [path, message]) ?? [])
  expect(said).toMatchObject({
    vin: 'Invalid VIN.',
    make: 'Car make is required.',
    carModel: 'Car model is required.',
    color: 'Car color is required.',
    trim: 'Car trim is required.',
    year: 'Invalid year.',
    mileage: 'Invalid mileage.',
    price: 'Invalid price.',
  })
  for (const price of [-1, 1.5, '1e9', 10_000_001, 2 ** 53])
    expect((await seller.send(addCar, { body: aCarForm({ price }) })).status).toBe(400)
  const tooNew = await seller.send(addCar, { body: aCarForm({ year: new Date().getFullYear() + 3 }) })
  expect(tooNew.refusal.errors).toEqual([{ path: 'year', message: 'Invalid year.' }])
})

test('price 0 or none means to be agreed, and what the caller may not set has no effect', async () => {
  const seller = await aSeller(house)
  const car = await aCar(seller, { price: 0, status: 'COMPLETED', buyerId: seller.id, _id: 'f'.repeat(24) })
  expect(car).toMatchObject({ price: null, status: 'PENDING', buyerId: null, sellerId: seller.id })
  expect(car._id).not.toBe('f'.repeat(24))
})

test('a car is listed for oneself only', async () => {
  const [seller, other] = [await aSeller(house), await aSeller(house)]
  const sent = await seller.send(addCar, { body: aCarForm({ sellerId: other.id }) })
  expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
})

test('a VIN is decoded offline, once; what is no VIN is 422', async () => {
  const seller = await aSeller(house)
  const found = await seller.ask(lookUpVin, { params: { vin: '1hgcm82633a004352' } })
  expect(found).toMatchObject({ vin: '1HGCM82633A004352', make: 'Honda', carModel: 'Accord', year: 2003 })
  const [kept] = await house.query('select make from vin_answers where vin = $1', ['1HGCM82633A004352'])
  expect(kept).toEqual({ make: 'Honda' })
  for (const vin of ['IOQ45678901234567', 'SHORT', 'ZZZZZZZZZZZZZZZZZ']) {
    const sent = await seller.send(lookUpVin, { params: { vin } })
    expect([sent.status, sent.refusal.message]).toEqual([422, 'Invalid VIN'])
  }
})

test('the public page shows the asking price and leaves out what is the parties’ business', async () => {
  const sale = await aSaleAt(house, 'requested')
  const page = await house.browser().ask(publicCarPage, { params: sale.at })
  expect(page.car.price).toBe(950000)
  expect(page.car.status).toBe('PENDING')
  expect(page.user).toMatchObject({ firstName: 'Selma', email: sale.seller.email })
  for (const hidden of ['buyerId', 'message', 'payoff']) expect(page.car).not.toHaveProperty(hidden)
  await confirm(sale)
  expect((await house.browser().ask(publicCarPage, { params: sale.at })).car.status).toBe('ACCEPTED')
})

test('an address that is no live car of that seller is the same 404 whatever is wrong with it', async () => {
  const { at } = await aListing(house)
  const stranger = house.browser()
  const bodies = await Promise.all(
    [
      { ...at, userId: 'a'.repeat(24) },
      { ...at, vin: aVin() },
    ].map(async (params) => {
      const sent = await stranger.send(publicCarPage, { params })
      expect(sent.status).toBe(404)
      return sent.body
    }),
  )
  expect(bodies[0]).toBe(bodies[1])
})

test('a party reads the whole car, everybody else what the public page shows', async () => {
  const sale = await aSaleAt(house, 'requested')
  const whole = await sale.seller.ask(sellersCar, { params: sale.at })
  expect(whole.car).toMatchObject({ buyerId: sale.buyer.id, payoff: false, price: 950000 })
  const buyers = await sale.buyer.ask(carByVin, { params: { vin: sale.car.vin } })
  expect(buyers.car).toMatchObject({ price: 900000, status: 'PENDING' })
  const others = await (await aBuyer(house)).ask(carByVin, { params: { vin: sale.car.vin } })
  expect(others.car).not.toHaveProperty('payoff')
})

test('progress is created once and answers the same after, for a buyer and a live car', async () => {
  const { at, seller } = await aListing(house)
  const buyer = await aBuyer(house)
  const all = await Promise.all(
    Array.from({ length: 20 }, () => buyer.send(calls.startProgress, { body: at })),
  )
  expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(new Set(all.map(({ answer }) => answer._id)).size).toBe(1)
  const own = await seller.send(calls.startProgress, { body: at })
  expect([own.status, own.refusal.errorCode]).toEqual([409, 'OwnCar'])
  const none = await buyer.send(calls.startProgress, { body: { ...at, vin: aVin() } })
  expect(none.status).toBe(404)
})

test('the wizard stands where it stood, whoever asks from wherever', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  await step(buyer, at, { step: [0, 1, 2, 3], hasTrade: false })
  expect(await progressOf({ buyer, at } as never)).toMatchObject({
    activeBuyerStep: 3,
    hasTrade: false,
    buyerStep3: true,
    buyerStep4: false,
    status: null,
  })
  const back = await step(buyer, at, { step: [0], goBack: true })
  expect(back).toMatchObject({ activeBuyerStep: 0, buyerStep3: true })
})

test('steps that are not open are refused with the present stage and change nothing', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  for (const data of [{ step: [0, 1, 2, 3] }, { step: [5] }, { step: [6] }, { step: [7] }, { step: [2] }]) {
    const sent = await trySteps(buyer, at, data)
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StageNotReachable'])
    expect(sent.refusal.current).toMatchObject({ activeBuyerStep: 0 })
  }
  expect((await trySteps(buyer, at, { step: ['four', null, 9] })).status).toBe(200)
  expect((await progressOf({ buyer, at } as never)).activeBuyerStep).toBe(0)
})

test('a stale tab is refused with how things stand', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  const before = await progressOf({ buyer, at } as never)
  await step(buyer, at, { step: [3], hasTrade: false })
  const sent = await buyer.send(calls.updateProgress, {
    body: { ...at, version: before.version, data: { userType: 'BUYER', step: [0, 1] } },
  })
  expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.refusal.current).toMatchObject({ activeBuyerStep: 3 })
})

test('neither a signature nor a price is taken from who has not seen the present state', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { seller, buyer, at, car } = sale
  const { version } = await progressOf(sale)
  await seller.ask(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 9900 } })
  const before = await digestOf(house)
  for (const sent of [
    await trySteps(buyer, at, { ...buyerSignature(), version }),
    await buyer.send(calls.decideBuyer, { body: { ...at, price: 8800, status: 'PENDING', version } }),
    await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 8800, trades: [], version } }),
  ])
    expect([sent.status, sent.refusal]).toMatchObject([
      409,
      { errorCode: 'StaleVersion', current: { price: 9900 } },
    ])
  expect(await digestOf(house)).toEqual(before)
  await confirm(sale)
  const late = await seller.send(calls.updateProgress, { body: { ...at, version, data: sellerSignature() } })
  expect([late.status, late.refusal.errorCode]).toEqual([409, 'StaleVersion'])
})

test('what the server decides is never set by a client', async () => {
  const { at, buyer } = await aSaleAt(house, 'started')
  await step(buyer, at, {
    step: [],
    completed: true,
    sellerSigned: true,
    sellerSignedName: 'x',
    sellerSignature: 'x',
    pendingTradeInApproval: true,
    status: 'ACCEPTED',
  })
  expect(await progressOf({ buyer, at } as never)).toMatchObject({
    completed: false,
    sellerSigned: false,
    pendingTradeInApproval: false,
    status: null,
  })
})

test('a request needs its stage, its fields and a car that is not one’s own', async () => {
  const { at, seller, buyer, car } = await aSaleAt(house, 'started')
  const ask = (body: object) =>
    buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [], ...body } })
  const early = await ask({})
  expect([early.status, early.refusal.errorCode]).toEqual([409, 'StageNotReachable'])
  const empty = await buyer.send(calls.requestCar, { body: {} })
  expect(empty.refusal.errors).toEqual([
    { path: 'vin', message: 'VIN is required' },
    { path: 'price', message: 'Price is required' },
  ])
  expect((await ask({ price: 0 })).refusal.message).toBe('Price is required')
  expect((await ask({ price: 12.5 })).refusal.message).toBe('Invalid price.')
  expect((await ask({ buyerId: seller.id })).status).toBe(404)
  expect((await ask({ vin: aVin() })).status).toBe(404)
  const own = await seller.send(calls.requestCar, { body: { vin: car.vin, price: 9000 } })
  expect(own.refusal.errorCode).toBe('OwnCar')
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [5], needsFinancing: false })
  expect((await ask({})).status).toBe(201)
  const repeated = await ask({ price: 8700 })
  expect(repeated.status).toBe(200)
  expect(repeated.answer).toMatchObject({ price: 870000, status: 'PENDING' })
})

test('a buyer who says they have a trade must bring one', async () => {
  const { at, buyer, car } = await aSaleAt(house, 'started')
  await step(buyer, at, { step: [3], hasTrade: false })
  await step(buyer, at, { step: [5], needsFinancing: false })
  await step(buyer, at, { step: [], hasTrade: true })
  const none = await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 9000, trades: [] } })
  expect(none.refusal).toMatchObject({
    errorCode: 'TradeRequired',
    message: 'You must select an accepted trade offer to proceed.',
  })
  const strange = await buyer.send(calls.requestCar, {
    body: { vin: car.vin, price: 9000, trades: [aVin()] },
  })
  expect(strange.refusal.errorCode).toBe('TradeUnavailable')
})

test('the seller sees every request side by side, a stranger none', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await aRequest(sale, second, 9300)
  const requests = await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })
  expect(requests.map(({ buyer, price }) => [buyer._id, price])).toEqual([
    [sale.buyer.id, 900000],
    [second.id, 930000],
  ])
  for (const person of [sale.buyer, await aSeller(house)])
    expect((await person.send(calls.requestsOnCar, { params: { carId: sale.car._id } })).status).toBe(404)
})

test('only the seller confirms; the buyer who tries is refused and a stranger finds nothing', async () => {
  const sale = await aSaleAt(house, 'requested')
  const accept = { ...sale.at, buyerId: sale.buyer.id, status: 'ACCEPTED' }
  expect((await sale.buyer.send(calls.decideBuyer, { body: accept })).status).toBe(403)
  expect((await (await aBuyer(house)).send(calls.decideBuyer, { body: accept })).status).toBe(404)
  expect((await progressOf(sale)).status).toBe('PENDING')
})

test('confirming refuses a price or a version that is no longer true, and shows what is', async () => {
  const sale = await aSaleAt(house, 'requested')
  const { version } = await progressOf(sale)
  await sale.buyer.ask(calls.decideBuyer, { body: { ...sale.at, price: 8800, status: 'PENDING' } })
  const accept = { ...sale.at, status: 'ACCEPTED' }
  const stale = await sale.seller.send(calls.decideBuyer, { body: { ...accept, version } })
  expect(stale.refusal).toMatchObject({ errorCode: 'StaleVersion', current: { price: 8800 } })
  const changed = await sale.seller.send(calls.decideBuyer, { body: { ...accept, price: 9000 } })
  expect(changed.refusal).toMatchObject({ errorCode: 'PriceChanged', current: { price: 8800 } })
  const good = await sale.seller.ask(calls.decideBuyer, { body: { ...accept, price: 8800 } })
  expect(good.status).toBe('ACCEPTED')
})

test('one accepted buyer a car; the others wait and come back into play on release', async () => {
  const sale = await aSaleAt(house, 'requested')
  const second = await aBuyer(house)
  await aRequest(sale, second, 9300)
  await confirm(sale)
  const both = await sale.seller.send(calls.decideBuyer, {
    body: { ...sale.at, buyerId: second.id, status: 'ACCEPTED' },
  })
  expect(both.refusal.errorCode).toBe('BuyerAlreadyConfirmed')
  const [theirs] = await second.ask(calls.carsOf, { params: { userId: second.id } })
  expect(theirs).toMatchObject({ status: 'PENDING', taken: true })
  expect((await mailsTo(house, second.email))[0]?.subject).toContain('pending with another buyer')
  await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: sale.buyer.id, status: 'REJECTED', message: 'Sorry!' },
  })
  const [released] = await sale.buyer.ask(calls.carsOf, { params: { userId: sale.buyer.id } })
  expect(released).toMatchObject({ status: 'REJECTED', message: 'Sorry!' })
  const now = await sale.seller.ask(calls.decideBuyer, {
    body: { ...sale.at, buyerId: second.id, status: 'ACCEPTED' },
  })
  expect(now).toMatchObject({ status: 'ACCEPTED', buyerId: second.id })
})

test('confirming without a buyer says so', async () => {
  const { seller, at } = await aListing(house)
  const sent = await seller.send(calls.decideBuyer, { body: { ...at, status: 'ACCEPTED' } })
  expect([sent.status, sent.refusal.message]).toEqual([409, 'No buyer information available'])
})

test('the seller’s price stands for the car and its pending requests, voids signatures and tells the buyer', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  const priced = await sale.seller.ask(calls.updatePrice, {
    params: { carId: sale.car._id },
    body: { newPrice: 9900, sellerId: sale.seller.id },
  })
  expect(priced.price).toBe(990000)
  expect(await progressOf(sale)).toMatchObject({
    price: 990000,
    buyerSigned: false,
    activeBuyerStep: 6,
    agreementSigned: false,
  })
  const [event] = await sale.buyer.ask(calls.timeline, { params: sale.at })
  expect(event).toMatchObject({ event: 'priceChanged', from: '$9,000', to: '$9,900' })
  await signAsBuyer(sale)
  expect((await progressOf(sale)).buyerSigned).toBe(true)
})

test('a signature does not come back to life when the price is changed back', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  for (const newPrice of [9900, 9000])
    await sale.seller.ask(calls.updatePrice, { params: { carId: sale.car._id }, body: { newPrice } })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
})

test('while a buyer is accepted the car is neither re-priced, edited nor deleted', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const price = { params: { carId: sale.car._id }, body: { newPrice: 9900 } }
  const edit = { body: { vin: sale.car.vin, mileage: 92_000 } }
  const remove = { params: { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin } }
  const tries = () =>
    Promise.all([
      sale.seller.send(calls.updatePrice, price),
      sale.seller.send(calls.editCar, edit),
      sale.seller.send(calls.deleteCar, remove),
    ])
  for (const sent of await tries())
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'DealInProgress'])
  await signAsSeller(sale)
  for (const sent of await tries())
    expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'ExclusivityActive'])
  const release = await sale.seller.send(calls.decideBuyer, { body: { ...sale.at, status: 'REJECTED' } })
  expect(release.refusal.errorCode).toBe('ExclusivityActive')
})

test('prices that are no whole dollars from 1 to 10,000,000 are refused', async () => {
  const { seller, car } = await aListing(house)
  for (const newPrice of [0, -5, 1.5, 10_000_001, '9500', null]) {
    const sent = await seller.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice } })
    expect([sent.status, sent.refusal.message]).toEqual([400, 'Invalid price.'])
  }
})

test('a stranger changes nothing of a car or a deal and cannot tell it from none', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const stranger = await aSeller(house)
  const { at, car } = sale
  const tries = await Promise.all([
    stranger.send(calls.updatePrice, { params: { carId: car._id }, body: { newPrice: 1 } }),
    stranger.send(calls.editCar, { body: { vin: car.vin, mileage: 1 } }),
    stranger.send(calls.deleteCar, { params: { userType: 'SELLER', userId: stranger.id, vin: car.vin } }),
    stranger.send(calls.deleteCar, { params: { userType: 'SELLER', userId: sale.seller.id, vin: car.vin } }),
    stranger.send(calls.deleteCar, { params: { userType: 'BUYER', userId: stranger.id, vin: car.vin } }),
    stranger.send(calls.getProgress, { params: at }),
    stranger.send(calls.getProgress, { params: at, query: { buyerId: sale.buyer.id } }),
    stranger.send(calls.timeline, { params: at }),
    stranger.send(calls.packageId, { params: at }),
    stranger.send(calls.updateProgress, { body: { ...at, data: buyerSignature() } }),
    stranger.send(calls.updateProgress, { body: { ...at, data: sellerSignature() } }),
    stranger.send(calls.carsOf, { params: { userId: sale.seller.id } }),
    stranger.send(calls.getBuyer, { params: { id: sale.buyer.id } }),
    stranger.send(calls.getSeller, { params: { id: sale.seller.id } }),
  ])
  for (const sent of tries) expect([sent.status, sent.refusal.errorCode]).toEqual([404, 'NotFound'])
  const none = await stranger.send(calls.getProgress, { params: { userId: 'b'.repeat(24), vin: aVin() } })
  expect(none.body).toBe(tries[5]?.body)
  expect(await progressOf(sale)).toMatchObject({
    status: 'ACCEPTED',
    sellerSigned: false,
    buyerSigned: false,
  })
})

test('a party on the wrong side is refused, not served', async () => {
  const sale = await aSaleAt(house, 'confirmed')
  const asBuyer = await sale.seller.send(calls.updateProgress, {
    body: { ...sale.at, data: buyerSignature() },
  })
  const asSeller = await sale.buyer.send(calls.updateProgress, {
    body: { ...sale.at, data: sellerSignature() },
  })
  expect([asBuyer.status, asSeller.status]).toEqual([403, 403])
})

test('a signature needs a name and a signature, and is given once', async () => {
  const sale = await aSaleAt(house, 'requested')
  for (const missing of [{ buyerSignedName: ' ' }, { buyerSignature: '' }, { buyerSignature: undefined }]) {
    const sent = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), ...missing })
    expect([sent.status, sent.refusal.errorCode, sent.refusal.message]).toEqual([
      400,
      'ValidationError',
      'Please enter both your Name and Signature before signing.',
    ])
  }
  const signed = await signAsBuyer(sale)
  const again = await signAsBuyer(sale)
  expect(again.buyerSignedAt).toBe(signed.buyerSignedAt)
  const other = await trySteps(sale.buyer, sale.at, buyerSignature('Somebody Else'))
  expect(other.refusal.errorCode).toBe('AlreadySigned')
  expect((await trySteps(sale.buyer, sale.at, { step: [5], goBack: true })).status).toBe(409)
})

test('the seller cannot sign before confirming', async () => {
  const sale = await aSaleAt(house, 'requested')
  const sent = await sale.seller.send(calls.updateProgress, { body: { ...sale.at, data: sellerSignature() } })
  expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'InvalidTransition'])
})

test('both signatures carry the same sheet, and a new name changes nothing in between', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  await house.query('update users set first_name = $2 where id = $1', [sale.seller.id, 'Renamed'])
  const { terms, pkgId } = await signAsBuyer(sale)
  expect(terms?.sellerName).toBe('Selma Sanders')
  const hashes = await house.query<{ terms_hash: Buffer }>(
    'select terms_hash from signatures where deal_id = (select deal_id from packages where id = $1)',
    [pkgId],
  )
  expect(hashes.length).toBe(2)
  expect(hashes[0]?.terms_hash.equals(hashes[1]?.terms_hash ?? Buffer.alloc(0))).toBe(true)
})

test('signatures, events and packages cannot be changed, not even by us', async () => {
  await aSaleAt(house, 'passed')
  for (const table of ['signatures', 'deal_events', 'packages'])
    for (const statement of [`delete from ${table}`, `update ${table} set deal_id = deal_id`])
      await expect(house.query(statement)).rejects.toThrow('never changed')
})

test('the package is there once both have signed, for the parties and the administrator', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  expect((await sale.buyer.send(calls.packageId, { params: sale.at })).status).toBe(404)
  const { pkgId, passedAt } = await signAsBuyer(sale)
  expect(passedAt).not.toBe(null)
  const params = { pkgId: pkgId ?? '' }
  for (const reader of [sale.seller, sale.buyer, await anAdministrator(house)])
    expect((await reader.send(calls.finalPackage, { params })).status).toBe(200)
  for (const stranger of [await aBuyer(house), await aWholesaler(house)])
    expect((await stranger.send(calls.finalPackage, { params })).status).toBe(404)
  expect((await house.browser().send(calls.finalPackage, { params })).status).toBe(401)
  expect((await sale.seller.send(calls.completeDeal, { params })).status).toBe(401)
})

test('completing twice changes nothing the second time', async () => {
  const sale = await aSaleAt(house, 'completed')
  const { pkgId, version } = await progressOf(sale)
  const administrator = await anAdministrator(house)
  const again = await administrator.ask(calls.completeDeal, { params: { pkgId: pkgId ?? '' } })
  expect(again.version).toBe(version)
})

test('the buyer withdraws before both have signed, and the car is free', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  await sale.buyer.ask(calls.deleteCar, {
    params: { userType: 'BUYER', userId: sale.buyer.id, vin: sale.car.vin },
  })
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
  const [car] = await sale.seller.ask(calls.carsOf, { params: { userId: sale.seller.id } })
  expect(car).toMatchObject({ status: 'PENDING', buyerId: null })
  expect((await mailsTo(house, sale.seller.email))[0]?.subject).toContain('withdrew')
  const passed = await aSaleAt(house, 'passed')
  const late = await passed.buyer.send(calls.deleteCar, {
    params: { userType: 'BUYER', userId: passed.buyer.id, vin: passed.car.vin },
  })
  expect(late.refusal.errorCode).toBe('DealInProgress')
})

test('a deleted listing ends its link and its open requests', async () => {
  const sale = await aSaleAt(house, 'requested')
  await sale.seller.ask(calls.deleteCar, {
    params: { userType: 'SELLER', userId: sale.seller.id, vin: sale.car.vin },
  })
  expect((await house.browser().send(publicCarPage, { params: sale.at })).status).toBe(404)
  expect(await sale.buyer.ask(calls.carsOf, { params: { userId: sale.buyer.id } })).toEqual([])
  expect((await sale.buyer.send(calls.getProgress, { params: sale.at })).status).toBe(404)
})

test('the administrator takes a squatter’s listing down, nobody else does', async () => {
  const { car, seller } = await aListing(house)
  expect((await seller.send(removeListing, { params: { carId: car._id } })).status).toBe(401)
  const administrator = await anAdministrator(house)
  await administrator.ask(removeListing, { params: { carId: car._id }, body: { reason: 'squatter' } })
  const [row] = await house.query('select removed_because from cars where id = $1', [car._id])
  expect(row).toEqual({ removed_because: 'squatter' })
})

test('a changed term voids signatures, a changed color does not', async () => {
  const sale = await aSaleAt(house, 'requested')
  await signAsBuyer(sale)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, color: 'Blue' } })
  expect((await progressOf(sale)).buyerSigned).toBe(true)
  await sale.seller.ask(calls.editCar, { body: { vin: sale.car.vin, mileage: 92_000 } })
  expect((await progressOf(sale)).buyerSigned).toBe(false)
  const [event] = await sale.seller.ask(calls.timeline, { params: sale.at })
  expect(event).toMatchObject({ event: 'termsChanged', from: '2003 Honda Accord, 91,000 miles' })
})

test('at 71:59:59 the buyer still signs, at 72:00:01 no more, and the seller can confirm again', async () => {
  const inTime = await aSaleAt(house, 'sellerSigned')
  const late = await aSaleAt(house, 'sellerSigned')
  const onTheDot = await aSaleAt(house, 'sellerSigned')
  // Their sessions would be over by then; it is their deeds that are looked at.
  await house.query(`update access_tokens set expires_at = now() + interval '90 hours'`)
  await house.query(
    `update sessions set expires_at = now() + interval '90 hours', signed_in_at = now() + interval '71 hours'`,
  )
  try {
    await house.stopClock(await afterSellerSigned(inTime, '71:59:59'))
    expect((await signAsBuyer(inTime)).fullySigned).toBe(true)
    for (const [sale, after] of [
      [onTheDot, '72:00:00'],
      [late, '72:00:01'],
    ] as const) {
      const { version } = await progressOf(sale)
      await house.stopClock(await afterSellerSigned(sale, after))
      const sent = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), version })
      expect([sent.status, sent.refusal.errorCode]).toEqual([409, 'ExclusivityExpired'])
    }
    expect(await progressOf(late)).toMatchObject({
      status: 'PENDING',
      sellerSigned: false,
      sellerStep1: false,
      sellerStep2: false,
      exclusiveUntil: null,
      exclusivityExpired: true,
    })
    expect((await mailsTo(house, late.buyer.email))[0]?.subject).toContain('72 hours')
    expect((await mailsTo(house, late.seller.email))[0]?.subject).toContain('72 hours')
    await confirm(late)
    expect((await signAsBuyer(late)).buyerSigned).toBe(true)
    const unchanged = await progressOf(inTime)
    expect(unchanged).toMatchObject({ status: 'ACCEPTED', fullySigned: true })
  } finally {
    await house.moveClock('0 hours')
  }
})

/** By the time that stands with the signature, to the microsecond. */
async function afterSellerSigned({ car }: { car: { _id: string } }, duration: string): Promise<string> {
  const [signed] = await house.query<{ at: string }>(
    `select (signed_at + $2::interval)::text as at from signatures
     where party = 'SELLER' and deal_id in (select id from deals where car_id = $1)`,
    [car._id, duration],
  )
  return signed?.at ?? ''
}

test('sold cars are listed for wholesalers without signatures, prices or addresses', async () => {
  const sale = await aSaleAt(house, 'passed')
  await aSaleAt(house, 'sellerSigned')
  const wholesaler = await aWholesaler(house)
  const listed = await wholesaler.send(calls.soldCars, { query: { limit: 200 } })
  const row = listed.answer.find(({ vin }) => vin === sale.car.vin)
  expect(row).toMatchObject({
    completed: false,
    sellerId: { firstName: 'Selma' },
    buyerId: { firstName: 'Basil' },
  })
  expect(listed.body).not.toMatch(/signature|price|email/i)
  expect((await sale.seller.send(calls.soldCars)).status).toBe(403)
})

test('an account with an accepted deal stays; without one it goes, and signed agreements remain', async () => {
  const bound = await aSaleAt(house, 'confirmed')
  const type = { userType: 'BUYER', id: bound.buyer.id }
  const refused = await bound.buyer.send(calls.deleteUser, { params: type })
  expect(refused.refusal.errorCode).toBe('DealInProgress')
  const free = await aSaleAt(house, 'requested')
  await free.buyer.ask(calls.deleteUser, { params: { userType: 'BUYER', id: free.buyer.id } })
  expect((await free.buyer.send(getUser)).status).toBe(401)
  expect(await free.seller.ask(calls.requestsOnCar, { params: { carId: free.car._id } })).toEqual([])
  const done = await aSaleAt(house, 'completed')
  const { pkgId } = await progressOf(done)
  await done.buyer.ask(calls.deleteUser, { params: { userType: 'BUYER', id: done.buyer.id } })
  const pkg = await done.seller.ask(calls.finalPackage, { params: { pkgId: pkgId ?? '' } })
  expect(pkg.agreement.buyer.name).toBe('Basil Byrd')
  const other = await aBuyer(house)
  expect(
    (await other.send(calls.deleteUser, { params: { userType: 'BUYER', id: done.seller.id } })).status,
  ).toBe(404)
  expect((await other.send(calls.deleteUser, { params: { userType: 'SELLER', id: other.id } })).status).toBe(
    404,
  )
  const short = await other.send(calls.deleteUser, { params: { userType: 'BUYER', id: 'short' } })
  expect([short.status, short.refusal.message]).toEqual([400, 'Invalid ID.'])
})

test('the sides of a deal know each other’s address, a looker is unknown to the seller', async () => {
  const sale = await aSaleAt(house, 'started')
  expect((await sale.seller.send(calls.getBuyer, { params: { id: sale.buyer.id } })).status).toBe(404)
  await aRequest(sale, sale.buyer, 9000)
  const { buyer } = await sale.seller.ask(calls.getBuyer, { params: { id: sale.buyer.id } })
  expect(buyer.email).toBe(sale.buyer.email)
  const { seller } = await sale.buyer.ask(calls.getSeller, { params: { id: sale.seller.id } })
  expect(seller.firstName).toBe('Selma')
})

test('whoever has not verified their address reaches no deal data', async () => {
  const sale = await aSaleAt(house, 'requested')
  const newcomer = await aNewcomer(house, 'BUYER')
  for (const sent of [
    await newcomer.send(calls.startProgress, { body: sale.at }),
    await newcomer.send(calls.carsOf, { params: { userId: newcomer.id } }),
    await newcomer.send(addCar, { body: aCarForm() }),
  ])
    expect([sent.status, sent.refusal.errorCode]).toEqual([403, 'EmailNotVerified'])
})

test('the same key has one effect and its answer is replayed byte by byte', async () => {
  const seller = await aSeller(house)
  const body = aCarForm()
  const headers = { 'idempotency-key': 'one-intent' }
  const first = await seller.send(addCar, { body }, headers)
  const second = await seller.send(addCar, { body }, headers)
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect(second.headers['idempotent-replayed']).toBe('true')
  const other = await seller.send(addCar, { body: aCarForm() }, headers)
  expect([other.status, other.refusal.errorCode]).toEqual([422, 'IdempotencyKeyReused'])
  expect(await seller.ask(calls.carsOf, { params: { userId: seller.id } })).toHaveLength(1)
})
