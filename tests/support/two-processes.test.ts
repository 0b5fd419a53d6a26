import { getUser, login, logout, refresh } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { startTwoServers } from '../cluster/two-servers.ts'
import { aBuyer, aSeller } from './people.ts'
import { aCarForm } from './sales/deals.ts'

// Two processes of the real server share one database, and so share sessions and counters.

const house = await startTwoServers({ RATE_LIMITS: '' })

test('shares sign-ins between both, and a sign-out at one ends the session at the other', async () => {
  const buyer = await aBuyer(house)
  const again = house.browser()
  const statuses = async () => [(await again.send(getUser)).status, (await again.send(getUser)).status]
  for (const [name, value] of buyer.cookies) again.cookies.set(name, value)
  expect(await statuses()).toEqual([200, 200])
  await buyer.ask(logout)
  expect(await statuses()).toEqual([401, 401])
})

test('counts wrong passwords exactly when both receive them at once', async () => {
  const { email } = await aBuyer(house)
  // The sixth attempt must wait for a second, which may pass on a busy machine.
  await house.stopClock(new Date().toISOString())
  const guesses = Array.from({ length: 40 }, (_, guess) =>
    house.browser().send(login, { body: { email, password: `another guess ${guess}` } }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  await house.moveClock('0')
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(35).fill(429)])
})

test('keeps everyone signed in when both refresh a session at once, repeatedly', async () => {
  const buyer = await aBuyer(house)
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => buyer.send(refresh)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (let asked = 0; asked < 2; asked++) expect((await buyer.send(getUser)).status).toBe(200)
  }
})

test('has one effect when both receive the same idempotency key', async () => {
  const seller = await aSeller(house)
  const body = aCarForm()
  const add = () => seller.send(addCar, { body }, { 'idempotency-key': 'one-intent' })
  // A repeat gets an error while the first request runs, and later the same response.
  for (const { status } of await Promise.all([add(), add(), add(), add()]))
    expect([201, 409]).toContain(status)
  expect((await add()).status).toBe(201)
  expect(await house.query('select id from cars where vin = $1', [body.vin])).toHaveLength(1)
})
