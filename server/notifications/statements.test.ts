import { cents } from '@keyturn/contract/kit/money.ts'
import { addDevice } from '@keyturn/contract/notifications/push.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../db/new-id.ts'
import { type Db, transaction } from '../db/open.ts'
import { openHouse } from '../test/house.ts'
import { aBuyer } from '../test/people.ts'
import { aPushService } from '../test/push/push-service.ts'
import { tell, tellEach } from './actions.ts'

const house = await openHouse({
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1',
})
const car = '2003 Honda Accord'
const aboutCar = { carId: newId(), sellerId: newId(), vin: '1HGCM82633A004352' }

/** Each of them with a phone. */
async function buyers(count: number) {
  const service = await aPushService()
  const subscription = () => service.subscribe(house.deps.config.push.key.publicKey)
  return Promise.all(
    [...Array(count)].map(async () => {
      const buyer = await aBuyer(house)
      const { endpoint, keys } = subscription()
      await buyer.ask(addDevice, { body: { endpoint, keys } })
      return { id: buyer.id, buyerId: buyer.id, dealId: newId() }
    }),
  )
}

/** How many statements it takes in its transaction. */
const statementsOf = (work: (tx: Db) => Promise<void>): Promise<number> =>
  transaction(house.deps, async (tx) => {
    const asked = vi.spyOn(tx.$client, 'query')
    onTestFinished(() => asked.mockRestore())
    await work(tx)
    const count = asked.mock.calls.length
    asked.mockRestore()
    return count
  })

test('whoever waits for a car is told of it in as many statements as one alone, each by bell, mail, phone and clock', async () => {
  const [one, many] = [await buyers(1), await buyers(5)]
  const change = (waiting: typeof one) =>
    statementsOf((tx) =>
      tell(house.deps, tx, 'carChanged', {
        about: aboutCar,
        facts: { car, from: 'Blue', to: 'Red' },
        waiting,
      }),
    )
  const before = await change(one)
  expect(await change(many)).toBe(before)
  for (const table of ['pushes', 'mails'])
    expect(
      await house.query(
        `select 1 from ${table} where event = 'carChanged' and ${
          table === 'pushes' ? 'deal_id' : 'thread'
        } = any($1)`,
        [many.map(({ dealId }) => dealId)],
      ),
    ).toHaveLength(5)
  const keys = many.map(({ dealId }) => `turn on ${dealId}`)
  expect(await house.query('select 1 from jobs where key = any($1)', [keys])).toHaveLength(5)
})

test('a price is told to all who asked for the car in as many statements as to one', async () => {
  const [one, many] = [await buyers(1), await buyers(5)]
  const reprice = (deals: typeof one) =>
    statementsOf((tx) =>
      tellEach(
        house.deps,
        tx,
        'priceChanged',
        deals.map(({ dealId, buyerId }, i) => ({
          about: { ...aboutCar, dealId, buyerId },
          facts: { car, from: cents(9000 + i), to: cents(8000) },
        })),
      ),
    )
  const before = await reprice(one)
  expect(await reprice(many)).toBe(before)
  expect(
    await house.query('select 1 from notifications where deal_id = any($1)', [
      many.map(({ dealId }) => dealId),
    ]),
  ).toHaveLength(5)
})
