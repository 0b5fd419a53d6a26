import { expect, test } from 'vitest'
import { aSeller } from '../../../tests/support/people.ts'
import { aVin } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import * as store from './repository.ts'

// Tests which rows each query reads and changes, among rows that differ in one property.

const server = await startTestServer()
const { db } = server.deps
const [seller, stranger] = await Promise.all([aSeller(server), aSeller(server)])

type Ends = { deleted?: boolean; completed?: boolean }

/** Creates a listing directly in a given state. */
async function insertListing(vin: string, { deleted, completed }: Ends = {}, by = seller): Promise<string> {
  const id = newId()
  await server.query(
    `insert into cars (id, seller_id, vin, make, model, year, trim, mileage, color, payoff, message, deleted_at, completed_at)
     values ($1, $2, $3, 'Honda', 'Accord', 2003, 'EX', 91000, 'Silver', false, 'my words',
       case when $4 then keyturn_now() end, case when $5 then keyturn_now() end)`,
    [id, by.id, vin, deleted === true, completed === true],
  )
  return id
}

test('finds the live listing of a VIN, not a deleted or sold one', async () => {
  const vin = aVin()
  const find = async () => (await store.findLiveListing(db, { vin })).map(({ id }) => id)
  await insertListing(vin, { deleted: true })
  await insertListing(vin, { completed: true }, stranger)
  expect(await find()).toEqual([])
  const live = await insertListing(vin)
  expect(await find()).toEqual([live])
})

test('finds a seller’s own listing by VIN: a live one before a sold one, and no deleted one', async () => {
  const vin = aVin()
  const find = async () => (await store.findListing(db, { sellerId: seller.id, vin })).map(({ id }) => id)
  await insertListing(vin, {}, stranger)
  await insertListing(vin, { deleted: true })
  expect(await find()).toEqual([])
  const sold = await insertListing(vin, { completed: true })
  expect(await find()).toEqual([sold])
  await server.query('update cars set deleted_at = keyturn_now() where vin = $1 and seller_id = $2', [
    vin,
    stranger.id,
  ])
  const live = await insertListing(vin)
  expect(await find()).toEqual([live])
})

// R-cars-30
test('erases a seller’s texts, except those to the buyer of a completed sale', async () => {
  const cars = [
    await insertListing(aVin(), { deleted: true }),
    await insertListing(aVin(), { completed: true }),
    await insertListing(aVin(), { deleted: true }, stranger),
  ]
  await server.query(
    `update cars set description = 'my words', condition = 'mine', lender = 'my bank', payoff_cents = 100
     where id = any($1)`,
    [cars],
  )
  await store.eraseCarTexts(db, { sellerId: seller.id })
  const wordsOf = async (id: string) =>
    (
      await server.query(
        'select message, description, condition, lender, payoff_cents from cars where id = $1',
        [id],
      )
    )[0]
  expect(await Promise.all(cars.map(wordsOf))).toEqual([
    { message: '', description: '', condition: '', lender: '', payoff_cents: null },
    { message: 'my words', description: '', condition: '', lender: '', payoff_cents: null },
    {
      message: 'my words',
      description: 'my words',
      condition: 'mine',
      lender: 'my bank',
      payoff_cents: 100,
    },
  ])
})
