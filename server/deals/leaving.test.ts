import { editUser, getUser } from '@keyturn/contract/accounts/calls.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, progressOf } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer, type TestPerson } from '../test/people.ts'

const house = await openHouse()
const leave = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(calls.deleteUser, { params: { userType, id: person.id } })
const bellOf = async (person: TestPerson) =>
  (await person.ask(listNotifications, { query: {} })).map(({ message }) => message)

test('what a buyer who left did is still told, their name is not; also one that they had before', async () => {
  const sale = await aSaleAt(house, 'completed')
  await sale.buyer.ask(editUser, { body: { lastName: 'Byrd-Brown' } })
  expect(await bellOf(sale.seller)).toEqual([
    'Basil Byrd signed the agreement for your 2003 Honda Accord EX.',
    'Basil Byrd offers $9,000 for your 2003 Honda Accord EX.',
  ])
  await leave(sale.buyer, 'BUYER')
  expect(await bellOf(sale.seller)).toEqual([
    'The buyer of a 2003 Honda Accord EX signed the agreement.',
    'A buyer made an offer for a 2003 Honda Accord EX.',
  ])
})

test('what a seller who left did is told without their name, and nothing keeps what they were told', async () => {
  const [sale, other] = [await aSaleAt(house, 'completed'), await aSaleAt(house, 'completed')]
  await leave(sale.seller, 'SELLER')
  expect(await bellOf(sale.buyer)).toEqual([
    'The seller of a 2003 Honda Accord EX signed the agreement.',
    'The seller of a 2003 Honda Accord EX confirmed a buyer.',
  ])
  expect((await bellOf(other.buyer))[0]).toBe(
    'Selma Sanders signed the agreement for the 2003 Honda Accord EX.',
  )
  const kept = await house.query<{ message: string }>(
    'select message from notifications where recipient_id = $1',
    [sale.seller.id],
  )
  expect(JSON.stringify(kept)).not.toMatch(/Basil|9,000/)
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
