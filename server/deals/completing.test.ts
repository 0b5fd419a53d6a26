import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, progressOf, signAsBuyer } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, anAdministrator, aWholesaler } from '../test/people.ts'

// The package once both have signed, and the end of a sale.

const house = await openHouse()

// R-deals-46
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
  expect(events[0]).not.toHaveProperty('to')
})

// R-deals-44
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

// R-deals-43
test('completing twice changes nothing the second time', async () => {
  const sale = await aSaleAt(house, 'completed')
  const { pkgId, version } = await progressOf(sale)
  const administrator = await anAdministrator(house)
  const again = await administrator.ask(calls.completeDeal, { params: { pkgId: pkgId ?? '' } })
  expect(again.version).toBe(version)
})

// R-deals-45
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
