import { addCar } from '@keyturn/contract/cars/calls.ts'
import { expect, test } from 'vitest'
import { aCarForm } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { aSeller } from '../test/people.ts'

const house = await openHouse()

test('a change that is made is answered well even when its answer cannot be kept, and is never made again meanwhile', async () => {
  const seller = await aSeller(house)
  const car = aCarForm()
  const key = { 'idempotency-key': 'kept-or-not' }
  await house.query(`create function refuse_answers() returns trigger language plpgsql as
    $$ begin raise exception 'the disk is full'; end $$`)
  await house.query(`create trigger no_answers before update on idempotency_keys
    for each row when (new.status is not null) execute function refuse_answers()`)
  try {
    expect((await seller.send(addCar, { body: car }, key)).status).toBe(201)
    const again = await seller.send(addCar, { body: car }, key)
    expect([again.status, again.refusal.errorCode]).toEqual([409, 'IdempotencyInFlight'])
  } finally {
    await house.query('drop trigger no_answers on idempotency_keys')
  }
  expect(await house.query('select id from cars where vin = $1', [car.vin])).toHaveLength(1)
})
