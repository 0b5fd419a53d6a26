import { getUser, login, logout, refresh } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { startTwoServers } from '../cluster/two-servers.ts'
import { aBuyer, aSeller } from './people.ts'
import { aCarForm } from './sales/deals.ts'

// Two processes of the real server on one database: what one knows of sessions and counters, the other knows too.

const house = await startTwoServers({ RATE_LIMITS: '' })

test('who is signed in at one is so at the other, and signing out there ends it here at once', async () => {
  const buyer = await aBuyer(house)
  const again = house.browser()
  const statuses = async () => [(await again.send(getUser)).status, (await again.send(getUser)).status]
  for (const [name, value] of buyer.cookies) again.cookies.set(name, value)
  expect(await statuses()).toEqual([200, 200])
  await buyer.ask(logout)
  expect(await statuses()).toEqual([401, 401])
})

test('guesses at both in the same moment are counted exactly', async () => {
  const { email } = await aBuyer(house)
  // After five each has to wait for a second, which a busy machine may take for all of them.
  await house.stopClock(new Date().toISOString())
  const guesses = Array.from({ length: 40 }, (_, guess) =>
    house.browser().send(login, { body: { email, password: `another guess ${guess}` } }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  await house.moveClock('0')
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(35).fill(429)])
})

test('refreshed at both in the same moment, again and again, nobody is signed out', async () => {
  const buyer = await aBuyer(house)
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => buyer.send(refresh)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (let asked = 0; asked < 2; asked++) expect((await buyer.send(getUser)).status).toBe(200)
  }
})

test('the same intent at both has one effect', async () => {
  const seller = await aSeller(house)
  const body = aCarForm()
  const add = () => seller.send(addCar, { body }, { 'idempotency-key': 'one-intent' })
  // A repeat while the first is still running is asked to wait, and gets the same answer later.
  for (const { status } of await Promise.all([add(), add(), add(), add()]))
    expect([201, 409]).toContain(status)
  expect((await add()).status).toBe(201)
  expect(await house.query('select id from cars where vin = $1', [body.vin])).toHaveLength(1)
})
