import { addDevice } from '@keyturn/contract/notifications/push.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { expect, test, vi } from 'vitest'
import { aBuyer } from '../../../tests/support/people.ts'
import { startPushService } from '../../../tests/support/push/push-service.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { newId } from '../../platform/database/new-id.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { notify, notifyEach } from './notify.ts'

const server = await startTestServer({
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1',
})

const car = '2003 Honda Accord'
const aboutCar = { carId: newId(), sellerId: newId(), vin: '1HGCM82633A004352' }

/** Buyers with requests for the car, each with a device. */
async function buyers(count: number) {
  const service = await startPushService()
  return Promise.all(
    [...Array(count)].map(async () => {
      const buyer = await aBuyer(server)
      const { endpoint, keys } = service.subscribe(server.deps.config.push.key.publicKey)
      await buyer.ask(addDevice, { body: { endpoint, keys } })
      return { id: buyer.id, buyerId: buyer.id, dealId: newId() }
    }),
  )
}

type Buyers = Awaited<ReturnType<typeof buyers>>

const ways: Record<string, (tx: Db, waiting: Buyers) => Promise<void>> = {
  carChanged: (tx, waiting) =>
    notify(server.deps, tx, 'carChanged', {
      about: aboutCar,
      facts: { car, from: 'Blue', to: 'Red' },
      waiting,
    }),
  priceChanged: (tx, waiting) =>
    notifyEach(
      server.deps,
      tx,
      'priceChanged',
      waiting.map(({ dealId, buyerId }, i) => ({
        about: { ...aboutCar, dealId, buyerId },
        facts: { car, from: cents(9000 + i), to: cents(8000) },
      })),
    ),
}

test.each(Object.entries(ways))(
  'notifies five people of %s with as many statements as one person',
  async (_, tellAll) => {
    const statementsFor = (waiting: Buyers): Promise<number> =>
      transaction(server.deps, async (tx) => {
        const asked = vi.spyOn(tx.$client, 'query')
        await tellAll(tx, waiting)
        const count = asked.mock.calls.length
        asked.mockRestore()
        return count
      })
    expect(await statementsFor(await buyers(5))).toBe(await statementsFor(await buyers(1)))
  },
)
