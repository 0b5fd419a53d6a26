import * as calls from '@keyturn/contract/trades/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { aTradeAt, statusAndCode } from '../../../tests/support/trades.ts'

// GET /tax, and failures of the tax rate provider.

const server = await startTestServer()
const owner = await aBuyer(server, { firstName: 'Olive', lastName: 'Owner' })

const tax = (zipCode: string, basePrice: string | number) =>
  owner.send(calls.lookUpTaxRate, { query: { zipCode, basePrice } })

test('returns the tax of a state and the credit of a trade', async () => {
  const [line] = JSON.parse((await tax('2139', 100.5)).body)
  expect(line).toMatchObject({
    zip_code: '02139',
    state: 'MA',
    state_rate: '0.0625',
    credit: 6.28,
    total: 106.78,
  })
})

test('rejects an unknown ZIP code', async () => {
  for (const zip of ['00000', '0', '00001'])
    expect(await statusAndCode(tax(zip, 5))).toEqual([422, 'UnknownZip'])
})

test('works without the tax provider', async () => {
  const other = await startTestServer({ TAX_API_URL: 'http://127.0.0.1:9/salestax', TAX_API_KEY: 'secret' })
  const parties = { owner: await aBuyer(other), wholesaler: await aWholesaler(other) }
  const trade = await aTradeAt('OFFERED', parties)
  expect(trade).toMatchObject({ status: 'OFFERED', price: 2_000_000, salesTax: 0, taxRate: 'Error' })
  const [line] = await parties.owner.ask(calls.lookUpTaxRate, {
    query: { zipCode: '48201', basePrice: 20_000 },
  })
  expect(line).toMatchObject({ state: 'MI', state_rate: 'Error', credit: 0, total: 2_000_000 })
})
