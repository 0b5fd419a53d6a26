import type { PaperLine } from '@keyturn/contract/agreements/paperwork/papers.ts'
import { type PaperworkKind, paperKinds } from '@keyturn/contract/agreements/paperwork/rules.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { namesInScripts } from '../../../../tests/support/papers/names-in-scripts.ts'
import { hasPoppler, readPdfText, runPoppler } from '../../../../tests/support/papers/pdf.ts'
import { aBuyer, anAdministrator, aSeller } from '../../../../tests/support/people.ts'
import { aSaleAt, readProgressOf } from '../../../../tests/support/sales/deals.ts'
import { requestPaperwork } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'

import { drawPaper } from './paper-pdf.ts'

const server = await startTestServer()

const print = (reader: Browser, pkgId: string, kind: string) => requestPaperwork(server, reader, pkgId, kind)

// R-deals-65
test('fills in each party’s drafts from the agreement once both have signed', async () => {
  const sale = await aSaleAt(server, 'passed', { zipCode: '94103' })
  const pkgId = (await readProgressOf(sale)).pkgId ?? ''
  const words: Record<PaperworkKind, string[]> = {
    'bill-of-sale': ['Agreed price $9,000', `VIN ${sale.car.vin}`, 'In California'],
    odometer: ['Reading in miles, no tenths', 'The listing said 91,000 miles'],
    release: ['REG 138', 'within 5 calendar days', 'read 11/22/2026'],
    appointment: ['The seller brings (Selma Sanders)', 'The buyer brings (Basil Byrd)'],
  }
  for (const kind of paperKinds) {
    const sent = await print(sale.buyer, pkgId, kind)
    expect([sent.statusCode, sent.headers['content-type'], sent.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="${kind}-${sale.car.vin}.pdf"`,
    ])
    expect(sent.headers['cache-control']).toBe('no-store')
    const text = readPdfText(sent.rawPayload)
    for (const phrase of words[kind]) expect(text).toContain(phrase)
    const pages = sent.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
    expect(pages).toBeLessThan(3)
    expect(text.split('DRAFT · A draft, not a legal document')).toHaveLength(pages + 1)
    expect(text).not.toContain(sale.seller.email)
    for (const reader of [sale.seller, await anAdministrator(server)])
      expect((await print(reader, pkgId, kind)).rawPayload.equals(sent.rawPayload)).toBe(true)
  }
})

test('returns 429 with Retry-After to a party that requests many drafts concurrently', async () => {
  const sale = await aSaleAt(server, 'passed')
  const pkgId = (await readProgressOf(sale)).pkgId ?? ''
  const asked = await Promise.all(Array.from({ length: 12 }, () => print(sale.buyer, pkgId, 'odometer')))
  expect(asked.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(4)
  const [refused] = asked.filter(({ statusCode }) => statusCode !== 200)
  expect([refused?.statusCode, refused?.headers['retry-after']]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
  ])
  expect(refused?.json()).toMatchObject({ errorCode: 'TooManyRequests', message: expect.any(String) })
})

test('returns 404 to everyone else and for an unknown package, and 400 for an unknown kind', async () => {
  const sale = await aSaleAt(server, 'passed')
  const pkgId = (await readProgressOf(sale)).pkgId ?? ''
  for (const stranger of [await aSeller(server), await aBuyer(server)])
    expect((await print(stranger, pkgId, 'odometer')).statusCode).toBe(404)
  expect((await print(server.browser(), pkgId, 'odometer')).statusCode).toBe(401)
  expect((await print(sale.buyer, 'a'.repeat(24), 'odometer')).statusCode).toBe(404)
  expect((await print(sale.buyer, pkgId, 'title')).statusCode).toBe(400)
})

// R-deals-102
test.runIf(hasPoppler)('prints names of any script', async () => {
  const names = Object.values(namesInScripts)
  const lines = names.flatMap((name): PaperLine[] => [
    { is: 'fact', label: 'Printed name', value: name },
    { is: 'signature', label: 'Signature', name },
  ])
  const parts = names.map((_, index) => ({ title: 'Signer', lines: lines.slice(index * 2, index * 2 + 2) }))
  const paper = { title: 'Names', lead: 'Names of many people.', parts, sources: [] }
  const of = { id: 'a'.repeat(24), signedAt: '2026-11-21T10:07:00.000Z' }
  const text = runPoppler('pdftotext', await drawPaper({ paper, of })).normalize('NFC')
  for (const name of names) {
    expect(text).toContain(name.normalize('NFC'))
    expect(text).toContain(`Signature: ${name.normalize('NFC')}`)
  }
})
