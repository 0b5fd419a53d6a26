import * as calls from '@keyturn/contract/deals/endpoints.ts'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aSeller, aWholesaler } from '../../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  complete,
  confirm,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../../tests/support/trades.ts'

// The list of sold cars as a file for spreadsheets.

const house = await startTestServer()
const wholesaler = await aWholesaler(house)
const header = ['Seller', 'Buyer', 'VIN', 'Car Model', 'Trade VINs', 'Status']

const exported = async (by: typeof wholesaler | Awaited<ReturnType<typeof anAdministrator>> = wholesaler) => {
  const { body, headers } = await by.send(calls.soldCarsFile)
  const [first, ...lines] = papa.parse<string[]>(body.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data
  return { body, headers, first, lines }
}

// R-deals-69
test('it has the columns of the screen, newest first, for wholesalers and the administrator', async () => {
  const seller = await aSeller(house, { firstName: 'Zoë', lastName: 'O’Neil, Jr. "Zo"' })
  const plain = await aSaleAt(house, 'completed', {}, { seller })
  const buyer = await aBuyer(house, { firstName: 'Basil', lastName: 'Byrd' })
  const sale = { ...(await aSaleAt(house, 'started', {}, { seller, buyer })), buyer }
  const trades = [await acceptedTrade(), await acceptedTrade()]
  await aRequest(
    sale,
    buyer,
    9000,
    trades.map(({ vin }) => vin),
  )
  await confirm(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  const { headers, body, first, lines } = await exported()
  expect([headers['content-type'], headers['content-disposition']]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="sold-cars.csv"',
  ])
  expect(body.startsWith('\uFEFFSeller,Buyer,VIN,Car Model,Trade VINs,Status\r\n')).toBe(true)
  expect(first).toEqual(header)
  expect(lines).toEqual([
    [
      'Zoë O’Neil, Jr. "Zo"',
      'Basil Byrd',
      sale.car.vin,
      'Honda Accord (2003)',
      trades.map(({ vin }) => vin).join(', '),
      'Pending',
    ],
    ['Zoë O’Neil, Jr. "Zo"', 'Basil Byrd', plain.car.vin, 'Honda Accord (2003)', 'No Trades', 'Completed'],
  ])
  expect(body).toContain('"Zoë O’Neil, Jr. ""Zo""",')
  expect((await exported(await anAdministrator(house))).lines).toEqual(lines)
  for (const other of [seller, buyer]) expect((await other.send(calls.soldCarsFile)).status).toBe(403)
  await complete(house, sale)
  expect((await exported()).lines[0]?.[5]).toBe('Completed')

  function acceptedTrade() {
    return aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
  }
})

// R-deals-69
test('a name that a spreadsheet would calculate is only shown', async () => {
  const sale = await aSaleAt(house, 'passed')
  for (const name of ['=1+1', '+1', '-1', '@SUM(1)', '=1\n', '＝1']) {
    await house.query('update users set first_name = $2 where id = $1', [sale.seller.id, name])
    expect((await exported()).lines[0]?.[0], name).toMatch(/^'[^']/)
  }
})

// R-deals-69
test('every sold car is in it once, also where there are many pages of them', async () => {
  const { lines: before } = await exported()
  const sale = await aSaleAt(house, 'passed')
  // 450 more at the very same moment.
  await house.query(
    `create table copies as select lpad(to_hex(n), 24, '0') as id, lpad(to_hex(n + 1000), 24, '0') as car,
       lpad(to_hex(n + 2000), 24, '0') as package from generate_series(1, 450) n`,
  )
  const copyOf = async (table: string, changes: Record<string, string>, where: string) => {
    const columns = await house.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const names = columns.map(({ name }) => name)
    await house.query(
      `insert into ${table} (${names.join(', ')}) select ${names.map((name) => changes[name] ?? `t.${name}`).join(', ')}
       from ${table} t, copies where ${where}`,
    )
  }
  await copyOf(
    'cars',
    { id: 'copies.car', vin: `'COPY' || right(copies.id, 13)` },
    `t.id = '${sale.car._id}'`,
  )
  await copyOf(
    'deals',
    { id: 'copies.id', car_id: 'copies.car', package_id: 'copies.package' },
    `t.car_id = '${sale.car._id}'`,
  )
  const { lines } = await exported()
  const vins = lines.map(([, , vin]) => vin)
  expect(vins.length).toBe(before.length + 451)
  expect(new Set(vins).size).toBe(vins.length)
})

test('a list that cannot be read is refused like any other, and no half of a file', async () => {
  await house.query('alter table deal_trades rename to deal_trades_away')
  try {
    const { status, body } = await wholesaler.send(calls.soldCarsFile)
    expect(status).toBe(500)
    expect(body).not.toContain('Seller,')
  } finally {
    await house.query('alter table deal_trades_away rename to deal_trades')
  }
})
