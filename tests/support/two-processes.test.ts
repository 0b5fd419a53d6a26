import { getUser, login, logout, refresh } from '@keyturn/contract/accounts/endpoints.ts'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, test } from 'vitest'
import { startTwoServers } from '../cluster/two-servers.ts'
import { aBuyer, aSeller } from './people.ts'
import { aCarForm } from './sales/deals.ts'

// Two server processes share sessions and counters through one database.

const server = await startTwoServers({ RATE_LIMITS: '' })

test('shares sessions, which signing out at one process ends at the other', async () => {
  const buyer = await aBuyer(server)
  const again = server.browser()
  const statuses = async () => [(await again.send(getUser)).status, (await again.send(getUser)).status]
  for (const [name, value] of buyer.cookies) again.cookies.set(name, value)
  expect(await statuses()).toEqual([200, 200])
  await buyer.ask(logout)
  expect(await statuses()).toEqual([401, 401])
})

test('counts wrong passwords exactly when both processes receive some concurrently', async () => {
  const { email } = await aBuyer(server)
  // After five wrong passwords, the next attempt must wait a second, which may pass on a busy
  // machine.
  await server.stopClock(new Date().toISOString())
  const guesses = Array.from({ length: 40 }, (_, guess) =>
    server.browser().send(login, { body: { email, password: `another guess ${guess}` } }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  await server.moveClock('0')
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(35).fill(429)])
})

test('keeps a session when both processes refresh it concurrently, repeatedly', async () => {
  const buyer = await aBuyer(server)
  for (let round = 0; round < 6; round++) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => buyer.send(refresh)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (let i = 0; i < 2; i++) expect((await buyer.send(getUser)).status).toBe(200)
  }
})

test('makes one change when both processes receive the same idempotency key', async () => {
  const seller = await aSeller(server)
  const body = aCarForm()
  const add = () => seller.send(addCar, { body }, { 'idempotency-key': 'one-intent' })
  // A repeated request gets an error while the first one is pending, and its response later.
  for (const { status } of await Promise.all([add(), add(), add(), add()]))
    expect([201, 409]).toContain(status)
  expect((await add()).status).toBe(201)
  expect(await server.query('select id from cars where vin = $1', [body.vin])).toHaveLength(1)
})
