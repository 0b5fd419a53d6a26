import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { tradeStatuses } from '@keyturn/contract/trades/rules.ts'
import { expect, test } from 'vitest'
import type { Browser, WireInput } from '../../../tests/support/browser.ts'
import { aBuyer, anAdministrator, aWholesaler } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import {
  aTrade,
  aTradeAt,
  readTradeEvents,
  sendTradeMove,
  statusAndCode,
} from '../../../tests/support/trades.ts'

// DELETE /trades/:vin

const server = await startTestServer()
const [owner, stranger, wholesaler, administrator] = await Promise.all([
  aBuyer(server, { firstName: 'Olive', lastName: 'Owner' }),
  aBuyer(server),
  aWholesaler(server, { firstName: 'Wes', lastName: 'Holt' }),
  anAdministrator(server),
])
const people = { owner, wholesaler }

const remove = (who: Browser, vin: string, more: WireInput = {}) =>
  who.send(calls.deleteTrade, { params: { vin }, ...more })

test.each(tradeStatuses)(
  'deletes a %s trade for everybody, and lets its owner add it again',
  async (status) => {
    const trade = await aTradeAt(status, people)
    expect((await remove(owner, trade.vin.toLowerCase())).status).toBe(200)
    expect(await statusAndCode(remove(owner, trade.vin))).toEqual([404, 'NotFound'])
    for (const who of [owner, wholesaler, administrator])
      expect((await sendTradeMove(who, trade, { status: 'OFFERED', price: 5 })).status).toBe(404)
    expect((await readTradeEvents(server, trade._id)).at(-1)?.event).toBe('delete')
    await aTrade(owner, { vin: trade.vin })
  },
)

test('does not find somebody else’s trade by its VIN', async () => {
  const trade = await aTrade(owner)
  expect(await statusAndCode(remove(stranger, trade.vin))).toEqual([404, 'NotFound'])
})

test.each(['query', 'body'])('rejects an old version in the %s', async (where) => {
  const trade = await aTrade(owner)
  await sendTradeMove(wholesaler, trade, { status: 'OFFERED', price: 20_000 })
  const sent = await remove(owner, trade.vin, { [where]: { version: trade.version } })
  expect([sent.status, sent.error.errorCode]).toEqual([409, 'StaleVersion'])
  expect(sent.error.current).toMatchObject({ status: 'OFFERED' })
})
