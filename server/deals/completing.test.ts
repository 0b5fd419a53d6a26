import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { pkgIdOf, timelineOf } from '../test/deal-moves.ts'
import { aSaleAt, complete, progressOf, signAsBuyer } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { anAdministrator, aWholesaler } from '../test/people.ts'

// The package once both have signed, and the end of a sale.

const house = await openHouse()

// R-deals-46, R-deals-43
test('a sale goes from listing to completion, both sides read what happened, and completing again changes nothing', async () => {
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
  const events = await timelineOf(sale)
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
  expect((await complete(house, sale)).version).toBe(progress.version)
})

// R-deals-44
test('the package is there once both have signed, for the parties and the administrator', async () => {
  const sale = await aSaleAt(house, 'sellerSigned')
  expect((await sale.buyer.send(calls.packageId, { params: sale.at })).status).toBe(404)
  expect((await signAsBuyer(sale)).passedAt).not.toBe(null)
  const params = { pkgId: await pkgIdOf(sale) }
  for (const reader of [sale.seller, sale.buyer, await anAdministrator(house)])
    expect(await reader.ask(calls.finalPackage, { params })).toMatchObject({
      price: 900000,
      completed: false,
      agreement: { seller: { name: 'Selma Sanders' }, buyer: { name: 'Basil Byrd' } },
    })
})

// R-deals-45
test('sold cars are listed for wholesalers without signatures, prices or addresses', async () => {
  const sale = await aSaleAt(house, 'passed')
  await aSaleAt(house, 'sellerSigned')
  const wholesaler = await aWholesaler(house)
  const listed = await wholesaler.send(calls.soldCars, { query: { limit: 200 } })
  const names = { sellerId: { firstName: 'Selma' }, buyerId: { firstName: 'Basil' } }
  const row = listed.answer.find(({ vin }) => vin === sale.car.vin)
  expect(row).toMatchObject({ completed: false, ...names })
  expect(listed.body).not.toMatch(/signature|price|email/i)
})
