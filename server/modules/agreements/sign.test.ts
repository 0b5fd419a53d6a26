import { releasedTexts } from '@keyturn/contract/agreements/agreement.ts'
import * as endpoints from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { currentTextVersion, type Terms } from '@keyturn/contract/deals/terms.ts'
import { expect, onTestFinished, test } from 'vitest'
import { hasPoppler, runPoppler } from '../../../tests/support/papers/pdf.ts'
import { readEmailsTo } from '../../../tests/support/people.ts'
import { propose } from '../../../tests/support/sales/deal-moves.ts'
import {
  aSaleAt,
  buyerSignature,
  confirmBuyer,
  offerPrice,
  readProgressOf,
  sellerSignature,
  signAsBuyer,
  signAsSeller,
  tryToUpdateProgress,
  turnDown,
} from '../../../tests/support/sales/deals.ts'
import { requestPaperwork, requestPdf } from '../../../tests/support/sales/signed-deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { sha256 } from './evidence-hashes.ts'
import { findEvidenceFaults } from './find-evidence-faults.ts'

const server = await startTestServer()

test('rejects a signature or a price from a party that has not seen the current state', async () => {
  const sale = await aSaleAt(server, 'requested')
  const { seller, buyer, at, car } = sale
  const { version } = await readProgressOf(sale)
  await propose(sale, 9900)
  const before = await digestTables(server)
  for (const sent of [
    await tryToUpdateProgress(buyer, at, { ...buyerSignature(), version }),
    await buyer.send(calls.decideRequest, { body: { ...at, price: 8800, status: 'PENDING', version } }),
    await buyer.send(calls.requestCar, { body: { vin: car.vin, price: 8800, trades: [], version } }),
  ])
    expect([sent.status, sent.error]).toMatchObject([
      409,
      { errorCode: 'StaleVersion', current: { proposedPrice: 9900 } },
    ])
  expect(await digestTables(server)).toEqual(before)
  await confirmBuyer(sale)
  const late = await seller.send(calls.updateProgress, { body: { ...at, version, data: sellerSignature() } })
  expect([late.status, late.error.errorCode]).toEqual([409, 'StaleVersion'])
})

// R-deals-31
test('requires a name and a signature, and accepts one signature', async () => {
  const sale = await aSaleAt(server, 'requested')
  for (const missing of [{ buyerSignedName: ' ' }, { buyerSignature: '' }, { buyerSignature: undefined }]) {
    const sent = await tryToUpdateProgress(sale.buyer, sale.at, { ...buyerSignature(), ...missing })
    expect([sent.status, sent.error.errorCode, sent.error.message]).toEqual([
      400,
      'ValidationError',
      'Please enter both your Name and Signature before signing.',
    ])
  }
  const signed = await signAsBuyer(sale)
  // R-deals-35
  expect(signed).toMatchObject({ agreementSigned: true, fullySigned: false })
  const again = await signAsBuyer(sale)
  expect(again.buyerSignedAt).toBe(signed.buyerSignedAt)
  const other = await tryToUpdateProgress(sale.buyer, sale.at, buyerSignature('Somebody Else'))
  expect(other.error.errorCode).toBe('AlreadySigned')
  expect((await tryToUpdateProgress(sale.buyer, sale.at, { step: [5], goBack: true })).status).toBe(409)
})

test('rejects the second signature when a released text was edited after the first', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  const texts = releasedTexts as Record<string, (typeof releasedTexts)[string]>
  const released = releasedTexts[currentTextVersion]
  if (!released) throw new Error('no text is released')
  onTestFinished(() => {
    texts[currentTextVersion] = released
  })
  const edited = (terms: Terms) => ({ ...released.write(terms), title: 'Another Agreement' })
  texts[currentTextVersion] = { ...released, write: edited }
  expect((await tryToUpdateProgress(sale.buyer, sale.at, buyerSignature())).status).toBe(500)
  expect((await readProgressOf(sale)).fullySigned).toBe(false)
})

// R-deals-31
test('rejects invisible names and hidden characters, and normalizes what is signed', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const before = await digestTables(server)
  const unseen = 'Please enter both your Name and Signature before signing.'
  const hidden = 'Please use only letters, numbers and common symbols.'
  for (const [by, form, path, words, message] of [
    [sale.buyer, buyerSignature(), 'buyerSignedName', '\u200b\u200b', unseen],
    [sale.seller, sellerSignature(), 'sellerSignature', '\u3164', unseen],
    [sale.buyer, buyerSignature(), 'buyerSignature', 'Basil\u202e Byrd', hidden],
  ] as const) {
    const { status, error } = await tryToUpdateProgress(by, sale.at, { ...form, [path]: words })
    const errors = [{ path: `data.${path}`, message }]
    expect([status, error]).toMatchObject([400, { message, errors }])
  }
  expect(await digestTables(server)).toEqual(before)
  expect((await signAsBuyer(sale, 'Jose\u0301')).buyerSignature).toBe('Jos\u00e9')
})

// R-deals-103
test('asks for a Latin spelling of a name that the papers cannot print, and prints both', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const names = ['ᠮᠣᠩᠭᠣᠯ', 'ᠪᠠᠲᠤ']
  const name = names.join(' ')
  await server.query('update users set first_name = $2, last_name = $3 where id = $1', [
    sale.buyer.id,
    ...names,
  ])
  await signAsSeller(sale)
  const before = await digestTables(server)
  for (const [signedName, signature, ...fields] of [
    [name, 'Basil', 'SignedName'],
    ['Basil', name, 'Signature'],
    [name, name, 'SignedName', 'Signature'],
    [`${name} (${name})`, 'Basil', 'SignedName'],
    [`${name} ()`, 'Basil', 'SignedName'],
    [`${name} (2026)`, 'Basil', 'SignedName'],
  ]) {
    const form = { ...buyerSignature(signedName), buyerSignature: signature }
    const { status, error } = await tryToUpdateProgress(sale.buyer, sale.at, form)
    expect([status, error.errorCode], signedName).toEqual([400, 'LatinSpellingRequired'])
    expect(error.errors?.map(({ path }) => path)).toEqual(fields.map((field) => `data.buyer${field}`))
  }
  expect(await digestTables(server)).toEqual(before)
  const spelled = `${name} (Mongol)`
  const { pkgId } = await signAsBuyer(sale, spelled)
  if (hasPoppler) {
    const text = textOf(await requestPdf(server, sale.seller, pkgId ?? ''))
    expect(text.split(spelled).length).toBeGreaterThan(5)
    expect(text).toMatch(new RegExp(`Buyer +${name} \\(Mongol\\)`))
    expect(text).not.toContain(`Account of ${name}`)
  }
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

// R-deals-103
test('prints an account’s name that the papers cannot print together with the name it signs', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const name = 'ᠮᠣᠩᠭᠣᠯ ᠪᠠᠲᠤ'
  await server.query(`update users set first_name = 'ᠮᠣᠩᠭᠣᠯ', last_name = 'ᠪᠠᠲᠤ' where id = $1`, [
    sale.buyer.id,
  ])
  await signAsSeller(sale, 'Selma Sanders (Bay Motors)')
  const pkgId = (await signAsBuyer(sale, 'Basil')).pkgId ?? ''
  if (!hasPoppler) return
  const agreement = textOf(await requestPdf(server, sale.seller, pkgId))
  expect(agreement).toMatch(new RegExp(`Buyer +${name} \\(Basil\\)`))
  expect(agreement).toContain(`Account of ${name} (Basil)`)
  expect(agreement).toContain('Account of Selma Sanders')
  const appointment = textOf(await requestPaperwork(server, sale.seller, pkgId, 'appointment'))
  expect(appointment).toContain(`The buyer brings (${name} (Basil))`)
  expect(appointment).toContain('The seller brings (Selma Sanders)')
})

const textOf = ({ rawPayload }: { rawPayload: Buffer }) => runPoppler('pdftotext', rawPayload, '-layout')

const hex = (text: string) => sha256(text).toString('hex')

// R-safe-5
test('signs the same sheet twice although a party was renamed between the signatures', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  await server.query('update users set first_name = $2 where id = $1', [sale.seller.id, 'Renamed'])
  const { terms, pkgId } = await signAsBuyer(sale)
  expect(terms?.sellerName).toBe('Selma Sanders')
  const hashes = await server.query<{ terms_hash: Buffer }>(
    'select terms_hash from signatures where deal_id = (select deal_id from packages where id = $1)',
    [pkgId],
  )
  expect(hashes.length).toBe(2)
  expect(hashes[0]?.terms_hash.equals(hashes[1]?.terms_hash ?? Buffer.alloc(0))).toBe(true)
})

// R-safe-7
test('prevents the database owner from changing signatures, events and packages', async () => {
  await aSaleAt(server, 'passed')
  for (const table of ['signatures', 'deal_events', 'packages'])
    for (const statement of [`delete from ${table}`, `update ${table} set deal_id = deal_id`])
      await expect(server.query(statement)).rejects.toThrow('never changed')
})

// R-safe-6, R-deals-37
test('accepts the buyer’s signature until 71:59:59, then lets the seller confirm again', async () => {
  const inTime = await aSaleAt(server, 'sellerSigned')
  const late = await aSaleAt(server, 'sellerSigned')
  const exactlyAtEnd = await aSaleAt(server, 'sellerSigned')
  // Otherwise the sessions would expire first.
  await server.query(`update access_tokens set expires_at = now() + interval '90 hours'`)
  await server.query(
    `update sessions set expires_at = now() + interval '90 hours', signed_in_at = now() + interval '71 hours'`,
  )
  try {
    await server.stopClock(await afterSellerSigned(inTime, '71:59:59'))
    expect((await signAsBuyer(inTime)).fullySigned).toBe(true)
    for (const [sale, after] of [
      [exactlyAtEnd, '72:00:00'],
      [late, '72:00:01'],
    ] as const) {
      const { version } = await readProgressOf(sale)
      await server.stopClock(await afterSellerSigned(sale, after))
      const sent = await tryToUpdateProgress(sale.buyer, sale.at, { ...buyerSignature(), version })
      expect([sent.status, sent.error.errorCode]).toEqual([409, 'ExclusivityExpired'])
    }
    expect(await readProgressOf(late)).toMatchObject({
      status: 'PENDING',
      sellerSigned: false,
      sellerStep1: false,
      sellerStep2: false,
      exclusiveUntil: null,
      exclusivityExpired: true,
    })
    expect((await readEmailsTo(server, late.buyer.email))[0]?.subject).toContain('72 hours')
    expect((await readEmailsTo(server, late.seller.email))[0]?.subject).toContain('72 hours')
    await confirmBuyer(late)
    expect((await signAsBuyer(late)).buyerSigned).toBe(true)
    const unchanged = await readProgressOf(inTime)
    expect(unchanged).toMatchObject({ status: 'ACCEPTED', fullySigned: true })
  } finally {
    await server.moveClock('0 hours')
  }
})

/** Measured from the stored time of the signature, to the microsecond. */
async function afterSellerSigned({ car }: { car: { _id: string } }, duration: string): Promise<string> {
  const [signed] = await server.query<{ at: string }>(
    `select (signed_at + $2::interval)::text as at from signatures
     where party = 'SELLER' and deal_id in (select id from deals where car_id = $1)`,
    [car._id, duration],
  )
  return signed?.at ?? ''
}

test('lets the buyer sign a new offer immediately after one with a lapsed hold was turned down', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  await server.query(`update deals set exclusive_until = keyturn_now() where car_id = $1`, [sale.car._id])
  expect((await readProgressOf(sale)).exclusivityExpired).toBe(true)
  await turnDown(sale)
  await offerPrice(sale, 9100)
  expect((await readProgressOf(sale)).exclusivityExpired).toBe(false)
  expect((await signAsBuyer(sale)).buyerSigned).toBe(true)
})

// R-deals-40
test('stores the bytes of the complete sheet with each signature', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { pkgId } = await readProgressOf(sale)
  const rows = await server.query<{ sheet: string; terms: string; hashed_as: number; sheet_hash: Buffer }>(
    'select s.* from signatures s join packages p using (deal_id) where p.id = $1',
    [pkgId],
  )
  const [{ sheet } = { sheet: '' }] = rows
  const { terms } = JSON.parse(sheet) as { terms: Terms }
  expect(hex(withFixedCarAndDate(sheet, terms))).toBe(
    '53bbb020162b2c78749506608bbca549b81c195a8a86988cc14f67148429e44c',
  )
  expect(rows.map((row) => [row.sheet, row.hashed_as])).toEqual(Array(2).fill([sheet, 3]))
  const { agreement } = await sale.buyer.ask(endpoints.readPackage, { params: { pkgId: pkgId ?? '' } })
  expect(agreement.sheet).toBe(sheet)
  expect(agreement.hash).toBe(hex(sheet))
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})

/** Replaces the car and the date, which differ in every sale, so that the digest is constant. */
const withFixedCarAndDate = (sheet: string, { vin, date }: Terms) =>
  sheet
    .replaceAll(vin, '1HGCM82633A004352')
    .replace(date, '2026-11-20T12:00:00.000Z')
    .replace(/"day":"[^"]*"/, '"day":"2026-11-20"')
    .replace(/"Date","value":"[^"]*"/, '"Date","value":"11/20/2026"')
