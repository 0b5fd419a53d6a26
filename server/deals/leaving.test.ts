import { editUser, getUser } from '@keyturn/contract/accounts/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { expect, test } from 'vitest'
import {
  aListing,
  aRequest,
  aSaleAt,
  complete,
  confirm,
  progressOf,
  signAsBuyer,
  signAsSeller,
} from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, anAdministrator, aWholesaler, type TestPerson } from '../test/people.ts'
import { aTradeAt } from '../test/trades.ts'
import { findEvidenceFaults } from './agreement/verify-evidence.ts'

const house = await openHouse()
const leave = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(calls.deleteUser, { params: { userType, id: person.id } })
const bellOf = async (person: TestPerson) =>
  (await person.ask(listNotifications, { query: {} })).map(({ message }) => message)

test('what a buyer who left did is still told, their name is not; also one that they had before', async () => {
  const sale = await aSaleAt(house, 'completed')
  await sale.buyer.ask(editUser, { body: { lastName: 'Byrd-Brown' } })
  const completed = 'AutoNation has completed the sale of the 2003 Honda Accord EX.'
  expect(await bellOf(sale.seller)).toEqual([
    completed,
    'Basil Byrd signed the agreement for your 2003 Honda Accord EX.',
    'Basil Byrd offers $9,000 for your 2003 Honda Accord EX.',
  ])
  await leave(sale.buyer, 'BUYER')
  expect(await bellOf(sale.seller)).toEqual([
    completed,
    'The buyer of a 2003 Honda Accord EX signed the agreement.',
    'A buyer made an offer for a 2003 Honda Accord EX.',
  ])
})

test('what a seller who left did is told without their name, and nothing keeps what they were told', async () => {
  const [sale, other] = [await aSaleAt(house, 'completed'), await aSaleAt(house, 'completed')]
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  await leave(sale.seller, 'SELLER')
  const pkg = await sale.buyer.ask(calls.finalPackage, { params })
  expect(pkg.seller).toMatchObject({ firstName: 'Selma', email: '', phoneNumber: '' })
  expect(await bellOf(sale.buyer)).toEqual([
    'AutoNation has completed the sale of the 2003 Honda Accord EX.',
    'The seller of a 2003 Honda Accord EX signed the agreement.',
    'The seller of a 2003 Honda Accord EX confirmed a buyer.',
  ])
  expect(await bellOf(other.buyer)).toContainEqual(
    expect.stringMatching(
      /^Selma Sanders signed the agreement for the 2003 Honda Accord EX\. It is held for you until \w+ \d+, \d+:\d\d [AP]M \w+\.$/,
    ),
  )
  const kept = await house.query<{ message: string }>(
    'select message from notifications where recipient_id = $1',
    [sale.seller.id],
  )
  expect(JSON.stringify(kept)).not.toMatch(/Basil|9,000/)
})

// R-accounts-36, R-accounts-37
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

test('how to reach who has left is in no package any more; what they signed stays, and still proves itself', async () => {
  const sale = await aSaleAt(
    house,
    'completed',
    {},
    { buyer: await aBuyer(house, { phoneNumber: '313-555-0177' }) },
  )
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  const administrator = await anAdministrator(house)
  const read = () =>
    Promise.all([sale.seller, administrator].map((reader) => reader.ask(calls.finalPackage, { params })))
  const stored = () => house.query('select contents from packages where id = $1', [params.pkgId])
  const [before, kept] = [await read(), await stored()]
  expect(before[0]?.buyer).toMatchObject({ email: sale.buyer.email, phoneNumber: '313-555-0177' })
  await leave(sale.buyer, 'BUYER')
  for (const [at, pkg] of (await read()).entries()) {
    expect(pkg).toEqual({ ...before[at], buyer: { ...before[at]?.buyer, email: '', phoneNumber: '' } })
    expect(pkg.seller.email).toBe(sale.seller.email)
    expect(pkg.agreement.buyer).toMatchObject({ name: 'Basil Byrd', signature: 'Basil Byrd' })
  }
  const answers = [
    await sale.seller.send(calls.finalPackage, { params }),
    await sale.seller.send(calls.getProgress, { params: sale.at }),
    await sale.seller.send(calls.timeline, { params: sale.at, query: {} }),
    await sale.seller.send(calls.requestsOnCar, { params: { carId: sale.car._id } }),
    await administrator.send(calls.timeline, { params: sale.at, query: {} }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).not.toContain(sale.buyer.email)
    expect(body).not.toContain('313-555-0177')
  }
  expect(await stored()).toEqual(kept)
  expect(await findEvidenceFaults(house.deps.db)).toEqual([])
})

test('what who has left said of their trade-in is in no package any more', async () => {
  const [buyer, wholesaler] = [await aBuyer(house), await aWholesaler(house)]
  const trade = await aTradeAt('ACCEPTED', { owner: buyer, wholesaler }, { message: 'Ring at number 9' })
  const sale = { ...(await aListing(house)), buyer }
  await aRequest(sale, buyer, 9000, [trade.vin])
  await confirm(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  await complete(house, sale)
  const params = { pkgId: (await progressOf(sale)).pkgId ?? '' }
  const before = await sale.seller.ask(calls.finalPackage, { params })
  expect(before.trades).toMatchObject([{ message: 'Ring at number 9' }])
  await leave(buyer, 'BUYER')
  const after = await sale.seller.ask(calls.finalPackage, { params })
  expect(after.trades).toEqual([{ ...before.trades[0], message: '' }])
  const requests = await sale.seller.ask(calls.requestsOnCar, { params: { carId: sale.car._id } })
  expect(JSON.stringify(requests)).not.toContain('number 9')
})
