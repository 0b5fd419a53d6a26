import { readFileSync } from 'node:fs'
import { releasedTexts } from '@keyturn/contract/agreements/agreement.ts'
import { currentConsent } from '@keyturn/contract/agreements/consent.ts'
import { type DealPackage, readPackage } from '@keyturn/contract/agreements/endpoints.ts'
import { encodeSheet } from '@keyturn/contract/agreements/sheet.ts'
import { currentTextVersion } from '@keyturn/contract/deals/terms.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import { expect, test } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { buildAppendix } from '../../../../tests/support/papers/appendix.ts'
import { namesInScripts } from '../../../../tests/support/papers/names-in-scripts.ts'
import { hasPoppler, readPdfStreams, readPdfText, runPoppler } from '../../../../tests/support/papers/pdf.ts'
import { aBuyer, anAdministrator, aWholesaler } from '../../../../tests/support/people.ts'
import { aSignedDeal, requestPdf } from '../../../../tests/support/sales/signed-deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { drawAgreement, type SignedAgreement } from './agreement-pdf.ts'
import { createPdfPrinter, type PdfJob } from './pdf-printer.ts'

const server = await startTestServer()

// R-deals-38
test('sends the same signed agreement to both parties and the administrator', async () => {
  const { pkgId, ...sale } = await aSignedDeal(server)
  const { agreement } = await sale.buyer.ask(readPackage, { params: { pkgId } })
  const papers: Buffer[] = []
  for (const reader of [sale.seller, sale.buyer, await anAdministrator(server)])
    papers.push(await download(reader, pkgId))
  expect(new Set(papers.map((paper) => paper.toString('latin1'))).size).toBe(1)

  const text = readPdfText(papers[0] ?? Buffer.alloc(0))
  for (const words of [
    'Seller Selma Sanders',
    'Buyer Basil Byrd',
    'Agreed price $9,000',
    `VIN ${sale.car.vin}`,
    'Mileage 91,000 miles',
    'Trade-in None Left to pay $9,000 Seller’s loan The seller states that no money is owed on this car.',
    `Seller: Selma Sanders Signed ${atUtc(agreement.seller.signedAt)}`,
    `Buyer: Basil Byrd Signed ${atUtc(agreement.buyer.signedAt)}`,
    `Digest of the sheet (SHA-256): ${agreement.hash}`,
  ])
    expect(text).toContain(words)
  expect(text).toMatch(/Page 1 of 5/)
  expect(text).toMatch(/Page 5 of 5/)
})

test.each(Object.keys(releasedTexts))(
  'renders the exact words of text version %s and nothing else',
  async (version) => {
    const expected = readFileSync(new URL(`./agreement-${version}.txt`, import.meta.url), 'utf8')
    const paper = aPaper('Selma Sanders', 'Basil Byrd', version)
    expect(readPdfText(await drawAgreement(paper))).toBe(expected.replace(/\s+/g, ' ').trim())
  },
)

// R-everywhere-61
test.each([1, 2])('renders the operator’s text without our words, in its form %i', async (form) => {
  const path = `../../../../contract/frozen/own-agreement-${form}/golden/sheet.json`
  const golden = new URL(path, import.meta.url)
  const paper = aPaper('Selma Sanders', 'Basil Byrd')
  paper.agreement.sheet = readFileSync(golden, 'utf8')
  const text = readPdfText(await drawAgreement(paper))
  expect(text).toMatch(
    /^Agreement of Sale Version own2?-ad1f5b9a7ac62a72 Date 11\/2(5\/2026|7\/2026 \(Mountain Time\)) Seller Selma Sanders/,
  )
  expect(text).toContain(
    'The buyer has inspected it. 2. Law The law of the State of Maine applies. Seller: Selma Sanders',
  )
  expect(text).not.toMatch(/Sample|disclaimer/)
})

// R-deals-39
test('renders the signed sheet, not the current texts', async () => {
  const paper = aPaper('Selma Sanders', 'Basil Byrd')
  const { sheet } = paper.agreement
  const drawn = await drawAgreement(paper)
  paper.agreement.terms = { ...paper.agreement.terms, textVersion: 'withdrawn' }
  expect((await drawAgreement(paper)).equals(drawn)).toBe(true)
  paper.agreement.sheet = sheet.replace('No agency', 'No agents')
  expect(readPdfText(await drawAgreement(paper))).toContain('1. No agents')
})

test('returns the same 404 to everyone else as for a missing package', async () => {
  const { pkgId } = await aSignedDeal(server)
  const stranger = await aBuyer(server)
  const theirs = await send(stranger, pkgId)
  const none = await send(stranger, 'a'.repeat(24))
  expect([theirs.statusCode, theirs.body]).toEqual([404, none.body])
  expect((await send(await aWholesaler(server), pkgId)).body).toBe(none.body)
  expect(theirs.headers['content-type']).toContain('application/json')
  expect((await send(server.browser(), pkgId)).statusCode).toBe(401)
})

// R-deals-61
test('embeds subsets of the fonts of the web pages', async () => {
  const drawn = await drawAgreement(aPaper('Łukasz Żółć', 'Дмитрий Νίκος'))
  expect(readPdfText(drawn)).toContain('Buyer Дмитрий Νίκος')
  const file = drawn.toString('latin1')
  expect(file).not.toMatch(/Helvetica|Times/)
  expect(new Set(file.match(/SourceSans3-\w+|Caveat-\w+/g))).toEqual(
    new Set(['SourceSans3-Regular', 'SourceSans3-Bold', 'Caveat-Medium']),
  )
  expect(drawn.length).toBeLessThan(120_000)
})

// R-deals-61
test('balances its two pages to within 75 points', async () => {
  for (const version of Object.keys(releasedTexts)) {
    const [first = 0, second = 0, ...more] = depthsOf(
      await drawAgreement(aPaper('Selma Sanders', 'Basil Byrd', version)),
    )
    expect(more).toEqual([])
    expect(Math.abs(first - second), `${version}: ${first} and ${second} points`).toBeLessThan(75)
  }
})

test('tags all text for screen readers, and closes each tag on its own page', async () => {
  const paper = aPaper('Дмитрий Νίκος', 'Maximiliane-Alexandrina '.repeat(10).trim())
  paper.agreement.seller = { ...paper.agreement.seller, name: 'S. Sanders', drawing: 'M12 80L300 20' }
  for (const size of ['Letter', 'A4'] as const)
    for (const content of readPdfStreams(await drawAgreement({ ...paper, size }, buildAppendix(paper)))) {
      let open = 0
      for (const [mark] of content.matchAll(/\b(BDC|BMC|EMC|TJ)\b/g)) {
        if (mark === 'TJ') expect(open, 'text outside of any tag').toBe(1)
        else open += mark === 'EMC' ? -1 : 1
        expect(open).toBeGreaterThanOrEqual(0)
      }
      expect(open).toBe(0)
    }
})

// R-deals-102
test.runIf(hasPoppler)('prints names of any script in the agreement and its certificate', async () => {
  const names = Object.values(namesInScripts)
  for (const [index, seller] of names.entries()) {
    // Two names for each paper.
    if (index % 2 > 0) continue
    const buyer = names[(index + 1) % names.length] ?? ''
    const paper = aPaper(seller, buyer)
    const appendix = buildAppendix(paper, {
      events: [{ at: '2026-11-21T10:05:03.120Z', who: 'Seller', what: 'Signed as seller', to: seller }],
    })
    const text = runPoppler('pdftotext', await drawAgreement(paper, appendix)).normalize('NFC')
    for (const name of [seller, buyer]) {
      const lines = text.split('\n').filter((line) => line.includes(name.normalize('NFC')))
      expect(lines.length, name).toBeGreaterThanOrEqual(5)
    }
    expect(text).not.toMatch(/U\+|\ufffd/)
  }
})

test('fits the longest names and signatures', async () => {
  const long = 'W'.repeat(255)
  expect(readPdfText(await drawAgreement(aPaper(long, long))).replaceAll(' ', '')).toContain(`Seller:${long}`)
  expect(
    readPdfStreams(await drawAgreement(aPaper('山'.repeat(255), 'ก'.repeat(255)))).length,
  ).toBeGreaterThan(2)
})

// R-deals-32
test('also prints the account’s name when the signed name differs', async () => {
  const paper = aPaper('Selma Sanders', 'Basil Byrd')
  paper.agreement.seller.name = 'S. Sanders'
  expect(readPdfText(await drawAgreement(paper))).toContain(
    'Seller: S. Sanders Account of Selma Sanders Signed',
  )
})

// R-deals-103
test.runIf(hasPoppler).each([
  ['Selma Sanders', 'Selma Sanders (Basil Byrd)', 'Selma Sanders', true],
  ['山田', '山田 (by Bay Motors, agent)', '山田', true],
  ['ᠮᠣᠩᠭᠣᠯ', 'ᠮᠣᠩᠭᠣᠯ (Mongol)', 'ᠮᠣᠩᠭᠣᠯ (Mongol)', false],
  ['ᠮᠣᠩᠭᠣᠯ', 'Bob', 'ᠮᠣᠩᠭᠣᠯ (Bob)', true],
])('prints the account of %s that signs as %s as %s', async (account, name, printed, hasAccount) => {
  const paper = aPaper(account, account)
  paper.agreement.seller.name = name
  const text = runPoppler('pdftotext', await drawAgreement(paper, buildAppendix(paper)), '-layout')
  const lines = text.split('\n').map((line) => line.trim().replace(/ +/g, ' '))
  for (const line of [`Seller ${printed}`, `Buyer ${account}`, `Seller: ${name}`])
    expect(lines).toContain(line)
  // On the sheet, and on the certificate.
  expect(lines.filter((line) => line === `Account of ${printed}`)).toHaveLength(hasAccount ? 2 : 0)
})

// R-deals-113
test('says that the time of a consent was not recorded', async () => {
  const paper = aPaper('Selma Sanders', 'Basil Byrd')
  const parties = buildAppendix(paper).certificate.parties.map((party) => ({
    ...party,
    consent: { version: currentConsent.version, at: null },
  }))
  const text = readPdfText(await drawAgreement(paper, buildAppendix(paper, { parties })))
  expect(text).toContain(`Given, time not recorded, version ${currentConsent.version}`)
})

// R-deals-68
test('draws a signature as lines with alternative text next to the typed one', async () => {
  const paper = aPaper('Selma Sanders', 'Basil Byrd')
  const typed = await drawAgreement(paper)
  paper.agreement.buyer.drawing = 'M12 80l30 -20 14 3M300 10l0 0'
  const drawn = await drawAgreement(paper)
  expect(readPdfText(drawn)).toContain('Buyer: Basil Byrd Signed')
  const named = '/Alt (Drawn signature of Basil Byrd)'
  const lines = /12 80 m\s+42 60 l\s+56 63 l\s+300 10 m\s+300 10 l/
  for (const [pdf, isDrawn] of [
    [drawn, true],
    [typed, false],
  ] as const)
    expect([pdf.includes(named), readPdfStreams(pdf).some((stream) => lines.test(stream))]).toEqual([
      isDrawn,
      isDrawn,
    ])
})

test('throws 503 for an agreement that cannot be rendered, and renders the next in the queue', async () => {
  const faults: string[] = []
  const printer = createPdfPrinter(server.deps.config, {
    maxRunMs: 120_000,
    maxWaitMs: 120_000,
    onFault: (fault) => faults.push(fault.message),
  })
  const broken = { ...aPaper('A', 'B'), createdAt: 'never' }
  const [first, next] = await Promise.allSettled([
    printer.print(whole(broken), 'a'),
    printer.print(whole(aPaper('A', 'B')), 'b'),
  ])
  expect([first, next]).toMatchObject([
    { status: 'rejected', reason: { status: 503 } },
    { status: 'fulfilled' },
  ])
  expect(faults).toEqual([expect.stringContaining('Invalid time value')])
  await printer.close()
  expect(faults).toHaveLength(1)
})

test('limits one reader to two concurrent renderings and still serves others', async () => {
  const printer = createPdfPrinter(server.deps.config, {
    maxRunMs: 120_000,
    maxWaitMs: 120_000,
    onFault: () => undefined,
  })
  const print = (reader: string) => printer.print(whole(aPaper('A', 'B')), reader)
  const asked = await Promise.allSettled([...Array(16).fill('greedy'), 'other'].map(print))
  expect(asked.map(({ status }) => status)).toEqual([
    ...Array(2).fill('fulfilled'),
    ...Array(14).fill('rejected'),
    'fulfilled',
  ])
  expect(asked[2]).toMatchObject({ reason: { code: 'TooManyRequests', status: 429, retryAfterSeconds: 2 } })
  expect((await print('greedy')).bytes).toBeInstanceOf(Uint8Array)
  await printer.close()
})

test.each([
  ['cannot start', new URL('./no-such-worker.js', import.meta.url), /no-such-worker/],
  ['breaks down', threadOf("throw new Error('the font is missing')"), /^the font is missing$/],
  [
    'hangs',
    threadOf(`import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => undefined)
      parentPort.postMessage('ready')`),
    /^Drawing took longer than 1500 ms$/,
  ],
])('reports why a thread that %s renders nothing', async (_, script, why) => {
  const faults: string[] = []
  const printer = createPdfPrinter(server.deps.config, {
    script,
    maxRunMs: 1500,
    onFault: (fault) => faults.push(fault.message),
  })
  await expect(printer.print(whole(aPaper('A', 'B')), 'a')).rejects.toMatchObject({
    code: 'Unavailable',
    status: 503,
  })
  expect(faults).toEqual([expect.stringMatching(why)])
  await printer.close()
})

function threadOf(program: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}

const send = (reader: Browser, pkgId: string) => requestPdf(server, reader, pkgId)

async function download(reader: Browser, pkgId: string): Promise<Buffer> {
  const response = await send(reader, pkgId)
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="vehicle-sale-agreement-\w{17}\.pdf"$/,
    ),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  return response.rawPayload
}

function aPaper(seller: string, buyer: string, textVersion = currentTextVersion): SignedAgreement {
  const signature = (name: string): DealPackage['agreement']['seller'] => ({
    name,
    signature: name,
    signedAt: '2026-11-21T10:05:03.120Z',
    digest: 'd5'.repeat(32),
  })
  const terms = {
    date: '2026-11-20T12:00:00.000Z',
    sellerName: seller,
    buyerName: buyer,
    make: 'Honda',
    model: 'Accord',
    year: 2003,
    vin: '1HGCM82633A004352',
    mileage: 91_000,
    price: cents(900_000),
    ...(textVersion === '2026-11-1' ? {} : tradeAndLoan),
    ...(textVersion === '2026-11-3' ? dayAndLoans : {}),
    textVersion,
  }
  return {
    _id: 'a'.repeat(24),
    createdAt: '2026-11-21T10:07:00.000Z',
    size: 'Letter',
    agreement: {
      terms,
      sheet: encodeSheet(terms),
      hash: 'e3'.repeat(32),
      textVersion,
      seller: signature(seller),
      buyer: signature(buyer),
    },
  }
}

const whole = (signed: SignedAgreement): PdfJob => ({ signed, appendix: buildAppendix(signed) })

const tradeAndLoan = {
  trades: [{ vin: '1FTFW1ET5DF000001', year: 2013, make: 'Ford', model: 'F-150', value: cents(650_000) }],
  leftToPay: cents(250_000),
  sellerOwes: true,
}

/** A loan on the trade-in that is counted, and one on the car. */
const dayAndLoans = {
  day: '2026-11-20',
  zone: 'Mountain Time',
  trades: tradeAndLoan.trades.map((trade) => ({
    ...trade,
    owes: true,
    payoffAmount: cents(1_100_000),
    lender: 'Ally Bank',
  })),
  leftToPay: cents(1_350_000),
  sellerPayoffAmount: cents(500_000),
  sellerLender: 'Chase Auto',
}

const atUtc = (iso: string) =>
  new Date(iso).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** The depth to which each page is filled, in points from the top, without the footer. */
const depthsOf = (pdf: Buffer): number[] =>
  readPdfStreams(pdf)
    .map((content) => [...content.matchAll(/1 0 0 1 [\d.]+ ([\d.]+) Tm/g)].map(([, y]) => 792 - Number(y)))
    .filter((lines) => lines.length > 0)
    .map((lines) => Math.max(...lines.filter((depth) => depth < 792 - 64)))
