import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { anAdministrator, aWholesaler } from '../../../tests/support/people.ts'
import { readPackageIdOf } from '../../../tests/support/sales/deal-moves.ts'
import { aSaleAt, completeSale, readProgressOf, signAsBuyer } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { findEvidenceFaults } from '../agreements/find-evidence-faults.ts'

const server = await startTestServer()

// R-deals-43, R-deals-46, R-deals-47
test('records each move with its facts, shows it to both parties, and completes once', async () => {
  const sale = await aSaleAt(server, 'completed')
  const progress = await readProgressOf(sale)
  expect(progress).toMatchObject({
    status: 'COMPLETED',
    completed: true,
    fullySigned: true,
    sellerStep3: true,
    activeBuyerStep: 7,
    sellerSignedName: 'Selma Sanders',
    buyerSignedName: 'Basil Byrd',
  })
  const stored = await server.query<{ actor: string; facts: { event: string } }>(
    'select actor, facts from deal_events e join deals d on d.id = e.deal_id where d.car_id = $1 order by e.id desc',
    [sale.car._id],
  )
  expect(stored.map(({ actor, facts }) => [actor, facts])).toEqual([
    ['ADMIN', { event: 'completed', by: 'admin' }],
    ['BUYER', { event: 'passed', dealer: 'AutoNation' }],
    ['BUYER', { event: 'buyerSigned', name: 'Basil Byrd' }],
    ['SELLER', { event: 'sellerSigned', name: 'Selma Sanders' }],
    ['SELLER', { event: 'confirmed', price: 900_000 }],
    ['BUYER', { event: 'requested', price: 900_000 }],
    ['BUYER', { event: 'started' }],
  ])
  const query = { buyerId: sale.buyer.id }
  for (const { answer, body } of [
    await sale.buyer.send(calls.readTimeline, { params: sale.at }),
    await sale.seller.send(calls.readTimeline, { params: sale.at, query }),
  ]) {
    expect(answer.map(({ facts }) => facts.event)).toEqual(stored.map(({ facts }) => facts.event))
    expect(answer.find(({ event }) => event === 'requested')).toMatchObject({ to: '$9,000' })
    // No reader learns which administrator acted.
    expect(body).not.toContain('"by"')
  }
  expect((await completeSale(server, sale)).version).toBe(progress.version)
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

// R-deals-44
test('serves the package to the parties and the administrator once both have signed', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  expect((await sale.buyer.send(calls.readPackageId, { params: sale.at })).status).toBe(404)
  expect((await signAsBuyer(sale)).passedAt).not.toBe(null)
  const params = { pkgId: await readPackageIdOf(sale) }
  for (const reader of [sale.seller, sale.buyer, await anAdministrator(server)])
    expect(await reader.ask(endpoints.readPackage, { params })).toMatchObject({
      price: 900000,
      completed: false,
      agreement: { seller: { name: 'Selma Sanders' }, buyer: { name: 'Basil Byrd' } },
    })
})

// R-deals-45
test('lists sold cars for wholesalers, without signatures, prices and addresses', async () => {
  const sale = await aSaleAt(server, 'passed')
  await aSaleAt(server, 'sellerSigned')
  const wholesaler = await aWholesaler(server)
  const listed = await wholesaler.send(calls.listSoldCars, { query: { limit: 200 } })
  const names = { sellerId: { firstName: 'Selma' }, buyerId: { firstName: 'Basil' } }
  const row = listed.answer.find(({ vin }) => vin === sale.car.vin)
  expect(row).toMatchObject({ completed: false, ...names })
  expect(listed.body).not.toMatch(/signature|price|email/i)
})
