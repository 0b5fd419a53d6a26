import { createHash } from 'node:crypto'
import type { Terms } from '@keyturn/contract/deals/agreement.ts'
import * as calls from '@keyturn/contract/deals/calls.ts'
import { expect, test } from 'vitest'
import { aSaleAt, buyerSignature, progressOf, trySteps } from '../../test/deals.ts'
import { aDatabaseBefore, aDealInSql } from '../../test/earlier-database.ts'
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

// R-deals-40
test('a changed word in a kept sheet shows', async () => {
  await aSaleAt(house, 'sellerSigned')
  await house.query('alter table signatures disable trigger user')
  await house.query(`update signatures set sheet = replace(sheet, 'No agency', 'An agency'),
    sheet_hash = sha256(convert_to(replace(sheet, 'No agency', 'An agency'), 'UTF8')) where party = 'SELLER'`)
  await house.query('alter table signatures enable trigger user')
  expect((await findEvidenceFaults(house.deps.db)).map(({ table }) => table)).toContain('signatures')
})

test('who was shown another text than would be signed has signed nothing', async () => {
  const sale = await aSaleAt(house, 'requested')
  const stale = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), textVersion: '2025-1-1' })
  expect([stale.status, stale.refusal.errorCode]).toEqual([409, 'StaleVersion'])
  const { terms, buyerSigned } = await progressOf(sale)
  expect(buyerSigned).toBe(false)
  const signed = await trySteps(sale.buyer, sale.at, { ...buyerSignature(), textVersion: terms?.textVersion })
  expect(signed.status).toBe(200)
})

/** As the version before wrote them, with the digests that it made. */
const signedBefore = {
  terms:
    '{"date":"2026-11-20T12:00:00.000Z","sellerName":"Selma Sanders","buyerName":"Basil Byrd","make":"Honda","model":"Accord","year":2003,"vin":"1HGCM82633A004352","mileage":91000,"price":900000,"textVersion":"2026-11-1"}',
  termsHash: 'cccbbe9472660f86d3c573368ca2a65d7e62be56c58e6b54111b6551f148f5b3',
  hashes: [
    'ecec204a613ec2cf1599de98d8a881739f91cfb86bf71d1091bbac90c23d048b',
    '6dfa85d48bc0dca0139c6d34714bdd9090dce0eb089684d1507139879b624f58',
  ],
}

test('what was signed before sheets were kept still verifies, and says which way it was hashed', async () => {
  const earlier = await aDatabaseBefore('0017')
  try {
    await earlier.pool.query(aDealInSql)
    const { terms, termsHash, hashes } = signedBefore
    for (const [party, by, id, name, at, previous, hash] of [
      ['BUYER', 'b', '1', 'Basil Byrd', '2026-11-20T13:00:00.120Z', null, hashes[0]],
      ['SELLER', 'a', '2', 'Selma Sanders', '2026-11-20T14:00:00.250Z', hashes[0], hashes[1]],
    ])
      await earlier.pool.query(
        `insert into signatures (id, deal_id, party, signer_id, signer_email, signer_verified_at, session_id, name,
           signature, car_terms_version, deal_terms_version, terms, terms_hash, text_version, consent_version,
           signed_at, ip, user_agent, previous_hash, hash)
         values (repeat($1, 24), repeat('d', 24), $2, repeat($3, 24), lower(split_part($4, ' ', 1)) || '@example.com',
           '2026-11-01T08:00:00Z', repeat('e', 24), $4, $4, 1, 2, $5, decode($6, 'hex'), '2026-11-1', '2026-11-1',
           $7, '203.0.113.7', 'Mozilla/5.0', decode($8, 'hex'), decode($9, 'hex'))`,
        [id, party, by, name, terms, termsHash, at, previous, hash],
      )
    await earlier.migrate()
    const { rows } = await earlier.pool.query('select hashed_as, sheet from signatures')
    expect(rows).toEqual(Array(2).fill({ hashed_as: 1, sheet: null }))
    expect(await findEvidenceFaults(earlier.db)).toEqual([])
    await earlier.pool.query(`alter table signatures disable trigger user`)
    await earlier.pool.query(`update signatures set signature = 'Basil Bird' where party = 'BUYER'`)
    expect(await findEvidenceFaults(earlier.db)).toEqual([{ table: 'signatures', id: '1'.repeat(24) }])
  } finally {
    await earlier.close()
  }
})
