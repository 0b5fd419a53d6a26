import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../db/new-id.ts'
import { transaction } from '../db/open.ts'
import { openHouse } from '../test/house.ts'
import { touch } from './actions.ts'
import { decodeSignal } from './signal.ts'

const house = await openHouse()

async function listen() {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const heard: string[] = []
  client.on('notification', ({ payload = '' }) => heard.push(payload))
  await client.query('listen keyturn')
  return heard
}

// Decision 59
test('what is said several times before it leaves is one signal, with a name of its own, after the commit', async () => {
  const heard = await listen()
  const [one, other] = [newId(), newId()]
  await transaction(house.deps, async (tx) => {
    for (let times = 0; times < 5; times++) await touch(tx, [one], 'cars', 'deals')
    await touch(tx, [other], 'cars')
    expect(heard).toEqual([])
  })
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(2)
  await touch(house.deps.db, [one], 'cars', 'deals')
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(3)
  const signals = heard.map(decodeSignal)
  expect(signals).toMatchObject([
    { users: [one], rooms: ['cars', 'deals'] },
    { users: [other], rooms: ['cars'] },
    { users: [one], rooms: ['cars', 'deals'] },
  ])
  expect(new Set(signals.map((signal) => signal && 'id' in signal && signal.id)).size).toBe(3)
})
