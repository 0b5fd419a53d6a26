import { listAllCars } from '@keyturn/contract/cars/endpoints.ts'
import { deleteCar, listSoldCars } from '@keyturn/contract/deals/endpoints.ts'
import { listNotifications } from '@keyturn/contract/notifications/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { listTrades } from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import type { SentRequest } from '../../../tests/support/browser.ts'
import { aBuyer, aSeller, aWholesaler, type TestPerson } from '../../../tests/support/people.ts'
import { aCar, aSaleAt } from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTrade } from '../../../tests/support/trades.ts'

// Every paged list shows each row once, even if many rows share a time or differ by microseconds.

const server = await startTestServer()
const wholesaler = await aWholesaler(server)
const moment = '2026-05-05T05:05:05.123456Z'

const at = (table: string, column: string) =>
  server.query(`update ${table} set ${column} = timestamptz '${moment}' where ${column} is not null`)

test('cars', async () => {
  const seller = await aSeller(server)
  for (let made = 0; made < 5; made++) await aCar(seller)
  const { vin } = await aCar(seller)
  await seller.ask(deleteCar, { params: { userType: 'SELLER', userId: seller.id, vin } })
  await at('cars', 'created_at')
  await everyRowOnce(wholesaler, listAllCars, 'cars where deleted_at is null')
})

test('lists each sold car once', async () => {
  const people = await aSaleAt(server, 'passed')
  for (let made = 0; made < 4; made++) await aSaleAt(server, 'passed', {}, people)
  await aSaleAt(server, 'requested', {}, people)
  await at('deals', 'passed_at')
  await everyRowOnce(wholesaler, listSoldCars, 'deals where passed_at is not null')
})

test('trades', async () => {
  const buyer = await aBuyer(server)
  for (let made = 0; made < 5; made++) await aTrade(buyer)
  await at('trades', 'created_at')
  await at('trades', 'moved_at')
  await everyRowOnce(wholesaler, listTrades, 'trades')
})

test('notifications', async () => {
  const { seller } = await aSaleAt(server, 'requested')
  await server.query(
    `insert into notifications (id, recipient_id, type, message, public_message, event, audience, deal_id)
     select lpad(to_hex(n), 24, '0'), $1, 'Buyer_Offer', 'An offer.', 'An offer.', 'requested', 'SELLER', repeat('d', 24)
     from generate_series(1, 5) n`,
    [seller.id],
  )
  await at('notifications', 'created_at')
  await everyRowOnce(seller, listNotifications, `notifications where recipient_id = '${seller.id}'`)
})

/** Reads two rows per page and follows the `next` links. */
async function everyRowOnce(person: TestPerson, call: Endpoint, rows: string): Promise<void> {
  const stored = await server.query<{ id: string }>(`select id from ${rows} order by id desc`)
  const shown: string[] = []
  let query: Record<string, string | number> | null = { limit: 2 }
  while (query) {
    const page: SentRequest<Endpoint> = await person.send(call, { query })
    shown.push(...JSON.parse(page.body).map(({ _id }: { _id: string }) => _id))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    query = next ? Object.fromEntries(new URL(next, 'http://here').searchParams) : null
    expect(shown.length).toBeLessThanOrEqual(stored.length)
  }
  expect(stored.length).toBeGreaterThan(4)
  expect(shown).toEqual(stored.map(({ id }) => id))
}
