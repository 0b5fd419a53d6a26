import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { readConsent, withdrawConsent } from '@keyturn/contract/agreements/endpoints.ts'
import * as calls from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { aBuyer, type TestPerson } from '../../../tests/support/people.ts'
import {
  aSaleAt,
  buyerSignature,
  readProgressOf,
  type Sale,
  sellerSignature,
  signAsBuyer,
  tryToUpdateProgress,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { findEvidenceFaults } from './find-evidence-faults.ts'

const server = await startTestServer()
const { version } = currentConsent
const consentOf = async (person: TestPerson) => (await person.ask(readConsent, {})).consent
const withdraw = async (person: TestPerson) => (await person.ask(withdrawConsent, {})).consent

type Row = { deed: string; version: string; session_id: string; ip: string; user_agent: string }
const rowsOf = ({ id }: TestPerson) =>
  server.query<Row>('select * from consents where person_id = $1 order by id', [id])
const deedsOf = async (person: TestPerson) => (await rowsOf(person)).map(({ deed }) => deed)

const consentsIn = async ({ car }: Sale) =>
  (
    await server.query<{ consent: string | null }>(
      `select consent_version as consent from signatures where deal_id in (select id from deals where car_id = $1) order by number`,
      [car._id],
    )
  ).map(({ consent }) => consent)

const sign = ({ buyer, at }: Sale, consent: string | boolean | undefined) =>
  tryToUpdateProgress(buyer, at, { ...buyerSignature(), consent })

// R-deals-66
test('stores the consent to sign once, with version, time, session, address and browser', async () => {
  const sale = await aSaleAt(server, 'requested')
  expect(await consentOf(sale.buyer)).toBeNull()
  const before = Date.now()
  await signAsBuyer(sale)
  const [row, ...more] = await server.query(
    `select c.*, s.user_id as owner from consents c join sessions s on s.id = c.session_id where person_id = $1`,
    [sale.buyer.id],
  )
  expect(more).toEqual([])
  expect(row).toMatchObject({
    deed: 'given',
    version,
    owner: sale.buyer.id,
    ip: '127.0.0.1',
    user_agent: expect.stringMatching(/./),
  })
  const { givenAt, withdrawnAt } = (await consentOf(sale.buyer)) ?? {}
  expect(Date.parse(givenAt ?? '')).toBeGreaterThan(before - 60_000)
  expect(withdrawnAt).toBeNull()
  await signAsBuyer(await aSaleAt(server, 'requested', {}, { buyer: sale.buyer }))
  expect(await deedsOf(sale.buyer)).toEqual(['given'])
  expect(await consentsIn(sale)).toEqual([version])
})

// R-deals-66
test('records the version that was shown: the current one for true, and null for anything else', async () => {
  const cases: [given: string | boolean | undefined, stored: string | null][] = [
    [true, version],
    [version, version],
    ['2026-11-2', null],
    [undefined, null],
    [false, null],
    ['toString', null],
    ['unknown', null],
  ]
  for (const [given, stored] of cases) {
    const sale = await aSaleAt(server, 'requested')
    expect((await sign(sale, given)).status).toBe(200)
    expect([given, await consentsIn(sale)]).toEqual([given, [stored]])
    expect((await rowsOf(sale.buyer)).map((row) => row.version)).toEqual(stored === null ? [] : [stored])
  }
})

// R-deals-67
test('requires a new consent for signing after a withdrawal, and keeps earlier signatures valid', async () => {
  const sale = await aSaleAt(server, 'passed')
  const { buyer } = sale
  expect(await withdraw(buyer)).toMatchObject({ version, withdrawnAt: expect.any(String) })
  expect(await readProgressOf(sale)).toMatchObject({ fullySigned: true, buyerSigned: true })
  const next = await aSaleAt(server, 'requested', {}, { buyer })
  const refused = await sign(next, undefined)
  expect([refused.status, refused.error.errorCode, refused.error.message]).toEqual([
    409,
    'ConsentWithdrawn',
    'You have withdrawn your consent to sign electronically. To sign here, please consent again.',
  ])
  expect((await readProgressOf(next)).buyerSigned).toBe(false)
  // Everything but signing works without consent.
  expect(
    (await buyer.send(calls.decideBuyer, { body: { ...next.at, price: 9100, status: 'PENDING' } })).status,
  ).toBe(200)
  expect((await sign(next, version)).status).toBe(200)
  expect(await deedsOf(buyer)).toEqual(['given', 'withdrawn', 'given'])
  expect(await consentOf(buyer)).toMatchObject({ version, withdrawnAt: null })
})

// R-deals-67
test('records a repeated withdrawal once, and none for a consent that was never given', async () => {
  const nobody = await aBuyer(server)
  expect(await withdraw(nobody)).toBeNull()
  expect(await rowsOf(nobody)).toEqual([])
  const sale = await aSaleAt(server, 'requested')
  await signAsBuyer(sale)
  await withdraw(sale.buyer)
  await withdraw(sale.buyer)
  expect(await deedsOf(sale.buyer)).toEqual(['given', 'withdrawn'])
})

test('records no new consent when an old signature is repeated', async () => {
  const sale = await aSaleAt(server, 'requested')
  await signAsBuyer(sale)
  await withdraw(sale.buyer)
  expect((await sign(sale, true)).status).toBe(200)
  expect(await deedsOf(sale.buyer)).toEqual(['given', 'withdrawn'])
})

test('records no consent when the signature is rejected', async () => {
  const sale = await aSaleAt(server, 'requested')
  const stale = await tryToUpdateProgress(sale.buyer, sale.at, {
    ...buyerSignature(),
    textVersion: '2025-1-1',
  })
  expect(stale.error.errorCode).toBe('StaleVersion')
  const early = await sale.seller.send(calls.updateProgress, {
    body: { ...sale.at, data: sellerSignature() },
  })
  expect(early.error.errorCode).toBe('InvalidTransition')
  expect([await rowsOf(sale.buyer), await rowsOf(sale.seller)]).toEqual([[], []])
})

test('records one consent and an unbroken chain when a person signs three deals concurrently', async () => {
  const buyer = await aBuyer(server)
  const sales = [
    await aSaleAt(server, 'requested', {}, { buyer }),
    await aSaleAt(server, 'requested', {}, { buyer }),
    await aSaleAt(server, 'requested', {}, { buyer }),
  ]
  await Promise.all(sales.map((sale) => signAsBuyer(sale)))
  expect(await deedsOf(buyer)).toEqual(['given'])
  expect(await findEvidenceFaults(server.deps.db)).toEqual([])
})
