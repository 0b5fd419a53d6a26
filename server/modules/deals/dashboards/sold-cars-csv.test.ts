import * as calls from '@keyturn/contract/deals/endpoints.ts'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import { aBuyer, anAdministrator, aSeller, aWholesaler } from '../../../../tests/support/people.ts'
import {
  aRequest,
  aSaleAt,
  completeSale,
  confirmBuyer,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { aTradeAt } from '../../../../tests/support/trades.ts'

const server = await startTestServer()
const wholesaler = await aWholesaler(server)
const header = ['Seller', 'Buyer', 'VIN', 'Car Model', 'Trade VINs', 'Status']

const exportCsv = async (
  by: typeof wholesaler | Awaited<ReturnType<typeof anAdministrator>> = wholesaler,
) => {
  const { body, headers } = await by.send(calls.exportSoldCars)
  const [first, ...lines] = papa.parse<string[]>(body.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data
  return { body, headers, first, lines }
}

// R-deals-69
test('exports the screen’s columns, newest first, to wholesalers and the administrator', async () => {
  const seller = await aSeller(server, { firstName: 'Zoë', lastName: 'O’Neil, Jr. "Zo"' })
  const plain = await aSaleAt(server, 'completed', {}, { seller })
  const buyer = await aBuyer(server, { firstName: 'Basil', lastName: 'Byrd' })
  const sale = { ...(await aSaleAt(server, 'started', {}, { seller, buyer })), buyer }
  const trades = [await acceptedTrade(), await acceptedTrade()]
  await aRequest(
    sale,
    buyer,
    9000,
    trades.map(({ vin }) => vin),
  )
  await confirmBuyer(sale)
  await signAsSeller(sale)
  await signAsBuyer(sale)
  const { headers, body, first, lines } = await exportCsv()
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
  expect((await exportCsv(await anAdministrator(server))).lines).toEqual(lines)
  for (const other of [seller, buyer]) expect((await other.send(calls.exportSoldCars)).status).toBe(403)
  await completeSale(server, sale)
  expect((await exportCsv()).lines[0]?.[5]).toBe('Completed')

  function acceptedTrade() {
    return aTradeAt('ACCEPTED', { owner: buyer, wholesaler })
  }
})

// R-deals-69
test('escapes a name that a spreadsheet would evaluate', async () => {
  const sale = await aSaleAt(server, 'passed')
  for (const name of ['=1+1', '+1', '-1', '@SUM(1)', '=1\n', '＝1']) {
    await server.query('update users set first_name = $2 where id = $1', [sale.seller.id, name])
    expect((await exportCsv()).lines[0]?.[0], name).toMatch(/^'[^']/)
  }
})

// R-deals-69
test('exports every sold car once across many pages', async () => {
  const { lines: before } = await exportCsv()
  const sale = await aSaleAt(server, 'passed')
  // 450 more with the same time.
  await server.query(
    `create table copies as select lpad(to_hex(n), 24, '0') as id, lpad(to_hex(n + 1000), 24, '0') as car,
       lpad(to_hex(n + 2000), 24, '0') as package from generate_series(1, 450) n`,
  )
  const copyOf = async (table: string, changes: Record<string, string>, where: string) => {
    const columns = await server.query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const names = columns.map(({ name }) => name)
    await server.query(
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
  const { lines } = await exportCsv()
  const vins = lines.map(([, , vin]) => vin)
  expect(vins.length).toBe(before.length + 451)
  expect(new Set(vins).size).toBe(vins.length)
})

test('returns 500 and no partial file when the list cannot be read', async () => {
  await server.query('alter table deal_trades rename to deal_trades_away')
  try {
    const { status, body } = await wholesaler.send(calls.exportSoldCars)
    expect([status, JSON.parse(body).errorCode]).toEqual([500, 'InternalError'])
    expect(body).not.toContain('Seller,')
  } finally {
    await server.query('alter table deal_trades_away rename to deal_trades')
  }
})
