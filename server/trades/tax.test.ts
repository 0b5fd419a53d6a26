import * as calls from '@keyturn/contract/trades/calls.ts'
import { expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'
import { aBuyer, aWholesaler } from '../test/people.ts'
import { aTradeAt, codeOf } from '../test/trades.ts'

// GET /tax, and what a provider of tax rates can do wrong.

const house = await openHouse()
const owner = await aBuyer(house, { firstName: 'Olive', lastName: 'Owner' })

const tax = (zipCode: string, basePrice: string | number) =>
  owner.send(calls.lookUpTax, { query: { zipCode, basePrice } })

test.each([
  ['48201', 20_000, 'MI', '0.06', 600, 20_600],
  ['90210', 20_000, 'CA', '0.0725', 0, 20_000],
  ['10001', 20_000.55, 'NY', '0.04', 800.02, 20_800.57],
  ['2139', 100, 'MA', '0.0625', 6.25, 106.25],
  ['97201', 5_000, 'OR', '0', 0, 5_000],
  ['00901', 5_000, 'PR', 'Unavailable', 0, 5_000],
])('%s with %d dollars', async (zip, price, state, rate, credit, total) => {
  const [line] = JSON.parse((await tax(zip, price)).body)
  expect(line).toMatchObject({ zip_code: zip.padStart(5, '0'), state, state_rate: rate, credit, total })
})

test('an unknown zip code', async () => {
  for (const zip of ['00000', '0', '00001']) expect(await codeOf(tax(zip, 5))).toEqual([422, 'UnknownZip'])
})

test('what is no zip code and no price', async () => {
  expect((await tax('http://169.254.169.254', '1e9')).refusal.errors?.map(({ path }) => path)).toEqual([
    'zipCode',
    'basePrice',
  ])
})

test('only for who is signed in', async () => {
  const sent = house.browser().send(calls.lookUpTax, { query: { zipCode: '48201', basePrice: 5 } })
  expect(await codeOf(sent)).toEqual([401, 'InvalidAccessToken'])
})

test('a tax provider that is down blocks nothing', async () => {
  const other = await openHouse({ TAX_API_URL: 'http://127.0.0.1:9/salestax', TAX_API_KEY: 'secret' })
  const parties = { owner: await aBuyer(other), wholesaler: await aWholesaler(other) }
  const trade = await aTradeAt('OFFERED', parties)
  expect(trade).toMatchObject({ status: 'OFFERED', price: 2_000_000, salesTax: 0, taxRate: 'Error' })
  const [line] = await parties.owner.ask(calls.lookUpTax, { query: { zipCode: '48201', basePrice: 20_000 } })
  expect(line).toMatchObject({ state: 'MI', state_rate: 'Error', credit: 0, total: 2_000_000 })
})
