import { createToken } from '@keyturn/contract/accounts/tokens.ts'
import { claimCar } from '@keyturn/contract/cars/claims.ts'
import { sendMessage } from '@keyturn/contract/messages/endpoints.ts'
import { addDevice } from '@keyturn/contract/notifications/push.ts'
import { beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '../../../tests/support/http/authenticator.ts'
import { anAdministrator, aSeller } from '../../../tests/support/people.ts'
import { startPushService } from '../../../tests/support/push/push-service.ts'
import { aCarForm, aSaleAt, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { suspend } from '../../../tests/support/sales/suspensions.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade } from '../../../tests/support/trades.ts'

const testServer = await startTestServer({
  PUSH_PRIVATE: 'allow',
  PUSH_HOSTS: '127.0.0.1,localhost,[::1]',
  VAPID_SUBJECT: 'mailto:push@keyturn.example',
})
const { query } = testServer

beforeAll(async () => {
  const { seller, buyer, car } = await aSaleAt(testServer, 'completed')
  await aTrade(buyer)
  const service = await startPushService(undefined, { stays: true })
  const { endpoint, keys } = service.subscribe(testServer.deps.config.push.key.publicKey)
  await service.close()
  await seller.ask(addDevice, { body: { endpoint, keys } })
  const { price, ...facts } = aCarForm({ vin: car.vin })
  const talk = await aSaleAt(testServer, 'requested')
  const { _id: dealId } = await readProgressOf(talk)
  await talk.buyer.ask(sendMessage, { params: { dealId }, body: { text: 'Is it still there?' } })
  const { origin } = testServer.deps.config.publicUrl
  await createAuthenticator().addTo(seller, { origin })
  await seller.ask(createToken, { body: { name: 'A script', scopes: ['cars:read'] } })
  await suspend(await anAdministrator(testServer), await aSeller(testServer))
  const claimed = { ...facts, vin: talk.car.vin, reason: 'The title is in my name.' }
  await buyer.ask(claimCar, { body: claimed })
})

/** The column with the owner of a row, or with a row of the same owner. */
const ownerColumns: Record<string, string> = {
  car_claims: 'car_id',
  cars: 'seller_id',
  deal_messages: 'deal_id',
  deals: 'car_id',
  deliveries: 'deal_id',
  mails: 'user_id',
  notifications: 'recipient_id',
  packages: 'deal_id',
  passkeys: 'user_id',
  personal_tokens: 'user_id',
  push_devices: 'user_id',
  sessions: 'user_id',
  signatures: 'deal_id',
  suspensions: 'user_id',
  trades: 'owner_id',
}
/** `pushes` have the id of their notification. */
const unownedTables = ['admin_sessions', 'administrators', 'dealers', 'pushes', 'users']

// R-everywhere-65
test.each(Object.entries(ownerColumns))('begins the id of a row of %s like its %s', async (table, column) => {
  const rows = await query<{ id: string; owner: string }>(
    `select id, ${column} as owner from ${table} where ${column} is not null`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ id, owner }) => id.slice(0, 4) !== owner.slice(0, 4))).toEqual([])
})

// R-everywhere-65
test('knows the owner of every table with ids', async () => {
  const rows = await query<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'id' and data_type = 'character' and character_maximum_length = 24`,
  )
  expect(rows.map(({ name }) => name).sort()).toEqual([...Object.keys(ownerColumns), ...unownedTables].sort())
})
