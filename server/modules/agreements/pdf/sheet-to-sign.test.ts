import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { readConsent, readDraftPdf, reportShownSheet } from '@keyturn/contract/agreements/endpoints.ts'
import { encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { updateProgress } from '@keyturn/contract/deals/endpoints.ts'
import { expect, test } from 'vitest'
import { createAuthenticator } from '../../../../tests/support/http/authenticator.ts'
import { readPdfText } from '../../../../tests/support/papers/pdf.ts'
import { aBuyer, aSeller, type TestPerson } from '../../../../tests/support/people.ts'
import {
  aSaleAt,
  buyerSignature,
  offerPrice,
  readProgressOf,
  type Sale,
  signAsBuyer,
  signAsSeller,
} from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { readAgreementPdf } from '../agreement-pdf-store.ts'
import { sha256 } from '../evidence-hashes.ts'

const server = await startTestServer()

const open = async (sale: Sale, reader: TestPerson, changes: object = {}) => {
  const { _id: dealId, version, terms } = await readProgressOf(sale)
  const body = { version, textVersion: terms?.textVersion ?? '', ...changes }
  return reader.send(reportShownSheet, { params: { dealId }, body })
}

const fetchDraft = async (sale: Sale, reader: TestPerson) => {
  const { _id: dealId } = await readProgressOf(sale)
  return server.app.inject({
    url: readDraftPdf.path.replace(':dealId', dealId),
    headers: { cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
}

type Act = { act: string; person: string; sheet: string; at: Date; began: Date | null; typed: boolean }
const actsOf = async (sale: Sale) =>
  server.query<Act>(
    `select act, person_id as person, encode(sheet_hash, 'hex') as sheet, at, signed_in_at as began, with_password as typed
     from signer_acts where deal_id = $1 order by id`,
    [(await readProgressOf(sale))._id],
  )

const certificateOf = async (sale: Sale) => {
  const { pkgId } = await readProgressOf(sale)
  return readPdfText(Buffer.from((await readAgreementPdf(server.deps, pkgId ?? '')).bytes))
}

const atUtc = (at: Date | undefined) =>
  at?.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

// R-deals-113
test('records once when a page showed the sheet to a signer, and prints that in the certificate', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  for (const reader of [sale.seller, sale.buyer, sale.buyer])
    expect((await open(sale, reader)).status).toBe(200)
  await fetchDraft(sale, sale.buyer)
  const { terms } = await readProgressOf(sale)
  const sheet = terms && sha256(encodeSheet(terms)).toString('hex')
  const acts = await actsOf(sale)
  expect(acts).toMatchObject([
    { act: 'shown', person: sale.seller.id, sheet },
    { act: 'shown', person: sale.buyer.id, sheet },
    { act: 'pdf', person: sale.buyer.id, sheet },
  ])
  await signAsSeller(sale)
  await signAsBuyer(sale)
  const text = await certificateOf(sale)
  const [bySeller, byBuyer, pdf] = acts
  const [given] = await server.query<{ at: Date }>('select at from consents where person_id = $1', [
    sale.seller.id,
  ])
  expect(text).toContain(
    `Sheet shown ${atUtc(bySeller?.at)} Consent to sign electronically Given ${atUtc(given?.at)}, version`,
  )
  expect(text).toContain(`Sheet shown ${atUtc(byBuyer?.at)} Sheet fetched as a PDF ${atUtc(pdf?.at)} Consent`)
})

// R-deals-113
test('does not record a sheet that is not the one to sign, and a changed sheet is shown anew', async () => {
  const sale = await aSaleAt(server, 'requested')
  expect((await open(sale, sale.seller)).status).toBe(404)
  for (const changes of [{ version: 1 }, { textVersion: '2026-11-1' }])
    expect((await open(sale, sale.buyer, changes)).status).toBe(409)
  await open(sale, sale.buyer)
  await offerPrice(sale, 9100)
  await open(sale, sale.buyer)
  const acts = await actsOf(sale)
  expect(acts.map(({ act }) => act)).toEqual(['shown', 'shown'])
  expect(new Set(acts.map(({ sheet }) => sheet)).size).toBe(2)
})

// R-deals-113
test('records how each signer was authenticated', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  await signAsSeller(sale)
  await server.query(`update sessions set signed_in_at = 'epoch' where user_id = $1`, [sale.buyer.id])
  const data = { ...buyerSignature(), currentPassword: sale.buyer.password }
  await sale.buyer.ask(updateProgress, { body: { ...sale.at, data } })
  const [bySeller, byBuyer] = await actsOf(sale)
  expect([bySeller, byBuyer]).toMatchObject([
    { act: 'signed', person: sale.seller.id, typed: false },
    { act: 'signed', person: sale.buyer.id, typed: true, began: null },
  ])
  const text = await certificateOf(sale)
  expect(text).toContain(`By the account’s password; signed in ${atUtc(bySeller?.began ?? undefined)}`)
  expect(text).toContain(
    'By the account’s password, entered for this signature; signed in by a link sent to this email address',
  )
})

// R-accounts-46
test('signs without the password after a sign-in with a passkey, and says so in the certificate', async () => {
  const sale = await aSaleAt(server, 'confirmed')
  const { origin } = server.deps.config.publicUrl
  for (const person of [sale.seller, sale.buyer]) {
    const authenticator = createAuthenticator()
    await authenticator.addTo(person, { origin })
    await authenticator.signIn(person, { origin })
  }
  await signAsSeller(sale)
  const data = { ...buyerSignature(), currentPassword: sale.buyer.password }
  await sale.buyer.ask(updateProgress, { body: { ...sale.at, data } })
  const [bySeller, byBuyer] = await actsOf(sale)
  const passkey = 'a passkey of the account; the device verified the signer'
  const text = await certificateOf(sale)
  expect(text).toContain(`With ${passkey}; signed in ${atUtc(bySeller?.began ?? undefined)}`)
  expect(text).toContain(
    `By the account’s password, entered for this signature; signed in ${atUtc(byBuyer?.began ?? undefined)} with ${passkey}`,
  )
})

// R-deals-113
test('says in the certificate what older servers did not record', async () => {
  const sale = await aSaleAt(server, 'passed')
  await server.query('alter table signer_acts disable trigger user')
  await server.query('delete from signer_acts where deal_id = $1', [(await readProgressOf(sale))._id])
  await server.query('alter table signer_acts enable trigger user')
  expect(await certificateOf(sale)).toContain(
    'Authenticated Signed in to the account with this email address; the time was not recorded Sheet shown Not recorded Consent',
  )
})

// R-deals-114
test('shows each party the sheet as a PDF before they sign: marked as a draft, unsigned and not stored', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  const { terms } = await readProgressOf(sale)
  const countStored = () => server.query('select count(*) from agreement_pdfs')
  const stored = await countStored()
  const response = await fetchDraft(sale, sale.buyer)
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="draft-vehicle-sale-agreement-${sale.car.vin}.pdf"`,
    'cache-control': 'no-store',
  })
  const text = readPdfText(response.rawPayload)
  expect(text).toContain('Draft: Vehicle Sale Agreement Version')
  expect(text.match(/Draft without signatures\./g)).toHaveLength(2)
  expect(text).toContain('Seller: Selma Sanders Buyer: Basil Byrd Digest of the sheet')
  expect(text).toContain(terms ? sha256(encodeSheet(terms)).toString('hex') : 'no terms')
  expect(text).not.toMatch(/Signed|Certificate/)
  expect(response.rawPayload.includes('/ByteRange')).toBe(false)
  expect(await countStored()).toEqual(stored)
})

// R-deals-114
test('returns the same 404 for a draft to strangers and to parties with nothing to sign', async () => {
  const sale = await aSaleAt(server, 'sellerSigned')
  const none = await server.app.inject({
    url: readDraftPdf.path.replace(':dealId', 'a'.repeat(24)),
    headers: { cookie: [...sale.buyer.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  expect(none.statusCode).toBe(404)
  const passed = await aSaleAt(server, 'passed')
  for (const [of, reader] of [
    [sale, await aBuyer(server)],
    [sale, await aSeller(server)],
    [sale, sale.seller],
    [passed, passed.buyer],
  ] as const)
    expect((await fetchDraft(of, reader)).body).toBe(none.body)
})

// R-deals-115
test('returns the postal address with the consent', async () => {
  const { address } = await (await aBuyer(server)).ask(readConsent, {})
  expect(address).toBe(server.deps.config.contactAddress)
  expect(currentConsent.sections.map(({ text }) => text).join()).toContain(
    'the postal address that stands with',
  )
})
