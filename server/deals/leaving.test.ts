import { editUser } from '@keyturn/contract/accounts/calls.ts'
import { deleteUser } from '@keyturn/contract/deals/calls.ts'
import { listNotifications } from '@keyturn/contract/notifications/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import type { TestPerson } from '../test/people.ts'

const house = await openHouse()
const leave = (person: TestPerson, userType: 'BUYER' | 'SELLER') =>
  person.ask(deleteUser, { params: { userType, id: person.id } })
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
