import { createHash } from 'node:crypto'
import type { Terms } from '@keyturn/contract/deals/agreement.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, buyerSignature, progressOf, trySteps } from '../../test/deals.ts'
import { openHouse } from '../../test/house.ts'
import { findEvidenceFaults } from './verify-evidence.ts'

const house = await openHouse()

// R-deals-40
test('each side signs the whole sheet, and its bytes stay with the signature', async () => {
  const sale = await aSaleAt(house, 'passed')
  const { pkgId } = await progressOf(sale)
  const rows = await house.query<{ sheet: string; terms: string; hashed_as: number; sheet_hash: Buffer }>(
    'select s.* from signatures s join packages p using (deal_id) where p.id = $1',
    [pkgId],
  )
  const [{ sheet } = { sheet: '' }] = rows
  const { terms } = JSON.parse(sheet) as { terms: Terms }
  expect(digestOf(withOneCarAndDay(sheet, terms))).toBe(
    'a7806139087cd48bcf288e4a06ef08f989873b914682c0f90d7457e769e037b5',
  )
  expect(rows.map((row) => [row.sheet, row.hashed_as])).toEqual(Array(2).fill([sheet, 3]))
  const { agreement } = await sale.buyer.ask(calls.finalPackage, { params: { pkgId: pkgId ?? '' } })
  expect(agreement.sheet).toBe(sheet)
  expect(agreement.hash).toBe(digestOf(sheet))
  expect(await findEvidenceFaults(house.deps.db)).toEqual([])
})

/** Every sale's car and day are its own; with these in their place, the sheet of this sale is always the same. */
const withOneCarAndDay = (sheet: string, { vin, date }: Terms) =>
  sheet
    .replaceAll(vin, '1HGCM82633A004352')
    .replace(date, '2026-11-20T12:00:00.000Z')
    .replace(/"Date","value":"[^"]*"/, '"Date","value":"11/20/2026"')

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

test('who was shown another text than would be signed has signed nothing', async () => {
  const sale = await aSaleAt(house, 'requested')
  const stale = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), textVersion: '2025-1-1' })
  expect([stale.status, stale.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  const { terms, buyerSigned } = await progressOf(sale)
  expect(buyerSigned).toBe(false)
  const signed = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), textVersion: terms?.textVersion })
  expect(signed.status).toBe(200)
})
