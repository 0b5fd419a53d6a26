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

/** Buyers who wait for the car, each with a phone. */
async function buyers(count: number) {
  const service = await aPushService()
  return Promise.all(
    [...Array(count)].map(async () => {
      const buyer = await aBuyer(house)
      const { endpoint, keys } = service.subscribe(house.deps.config.push.key.publicKey)
      await buyer.ask(addDevice, { body: { endpoint, keys } })
      return { id: buyer.id, buyerId: buyer.id, dealId: newId() }
    }),
  )
}
type Buyers = Awaited<ReturnType<typeof buyers>>

const ways: Record<string, (tx: Db, waiting: Buyers) => Promise<void>> = {
  carChanged: (tx, waiting) =>
    tell(house.deps, tx, 'carChanged', { about: aboutCar, facts: { car, from: 'Blue', to: 'Red' }, waiting }),
  priceChanged: (tx, waiting) =>
    tellEach(
      house.deps,
      tx,
      'priceChanged',
      waiting.map(({ dealId, buyerId }, i) => ({
        about: { ...aboutCar, dealId, buyerId },
        facts: { car, from: cents(9000 + i), to: cents(8000) },
      })),
    ),
}

test.each(Object.entries(ways))(
  '%s is told to five by bell, mail, phone and clock in as many statements as to one',
  async (event, tellAll) => {
    const statementsFor = (waiting: Buyers): Promise<number> =>
      transaction(house.deps, async (tx) => {
        const asked = vi.spyOn(tx.$client, 'query')
        onTestFinished(() => asked.mockRestore())
        await tellAll(tx, waiting)
        const count = asked.mock.calls.length
        asked.mockRestore()
        return count
      })
    const five = await buyers(5)
    expect(await statementsFor(five)).toBe(await statementsFor(await buyers(1)))
    const deals = five.map(({ dealId }) => dealId)
    const rings = event === 'priceChanged' && { notifications: 'deal_id' }
    for (const [table, deal] of Object.entries({ pushes: 'deal_id', mails: 'thread', ...rings }))
      expect(
        await house.query(`select from ${table} where event = $1 and ${deal} = any($2)`, [event, deals]),
      ).toHaveLength(5)
    const keys = deals.map((id) => `turn on ${id}`)
    expect(await house.query('select from jobs where key = any($1)', [keys])).toHaveLength(5)
  },
)
