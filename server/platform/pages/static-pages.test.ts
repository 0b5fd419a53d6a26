import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { buildAgreement } from '@keyturn/contract/agreements/agreement.ts'
import { currentTextVersion } from '@keyturn/contract/deals/terms.ts'
import type { OpenApiDocument } from '@keyturn/contract/openapi/document.ts'
import { cents } from '@keyturn/contract/shared/money.ts'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { createLegalTexts } from '../../../tests/support/legal-texts.ts'
import { buildPages, openAppWithPages, requestPage } from '../../../tests/support/pages.ts'
import { aBuyer, aWholesaler } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { openDatabase } from '../database/open-database.ts'
import { addressLimits } from '../rate-limits/endpoint-limits.ts'
import { readLegalTexts } from '../startup/legal-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'keyturn-testimonials-'))
afterAll(() => rmSync(folder, { recursive: true }))

const server = await startTestServer()
const app = await openAppWithPages(server)
const link = `userId=${'f'.repeat(24)}&vin=1HGCM82633A004352`

test('renders the texts for both sides and the link preview tags in the initial HTML', async () => {
  const { statusCode, body } = await requestPage(app, '/', undefined, { accept: '*/*' })
  expect(statusCode).toBe(200)
  for (const words of [
    'Sell your car to someone you trust.',
    'Buy from a person you know.',
    'Who takes care of the title?',
  ])
    expect(body).toContain(words)
  for (const tag of ['og:title', 'og:description', 'twitter:card']) expect(body).toContain(`"${tag}"`)
  expect(body).not.toContain('noindex')
  expect(body.match(/<details/g)?.length).toBeGreaterThan(8)
})

// R-everywhere-40
test('loads at most 15 kB of script before the first interaction, and only files that exist', async () => {
  for (const path of ['/', '/privacy', '/verify']) {
    const { body } = await requestPage(app, path)
    const inline = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text = '']) => text)
    // Includes the file that it loads after the first paint.
    const scripts = [...(inline[0] ?? '').matchAll(/import\('\/([^']*)'/g)].map(([, file = '']) =>
      readBuilt(file),
    )
    const bytes = [...inline, ...scripts].reduce((sum, text) => sum + gzipSync(text).length, 0)
    expect([path, scripts.length, inline.length]).toEqual([path, 1, 1])
    expect(bytes).toBeLessThan(15_000)
    for (const [, file = ''] of body.matchAll(/(?:href="|src="|url\()\/(assets\/[^")]*)/g))
      expect(readBuilt(file).length).toBeGreaterThan(0)
  }
})

const readBuilt = (file: string) => readFileSync(new URL(file, buildPages()))

// R-everywhere-42
test('names the source of each claim on the landing page', async () => {
  const { body } = await requestPage(app, '/')
  const claims = body.split('data-claim="true"').slice(1)
  expect(claims).toHaveLength(8)
  for (const claim of claims) expect(claim.split('</article>')[0]).toMatch(/data-from="true"><strong>/)
})

// R-everywhere-42
test('links each proof to its evidence', async () => {
  const { body } = await requestPage(app, '/')
  const led = [...body.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
  expect(led).toEqual(expect.arrayContaining(['sheet', 'hold', 'cost']))
  for (const id of led) expect(body.split(` id="${id}"`).length, id).toBe(2)
  expect(/ id="hold"[^>]*>([^<]*)/.exec(body)?.[1]).toBe(sample.exclusivity)
  expect(/ id="cost"[^>]*>.*?<p[^>]*>([^<]*)/.exec(body)?.[1]).toMatch(/^Nothing for sellers/)
  expect(body).toContain('href="/verify"')
  expect((await requestPage(app, '/verify')).body).toContain('Check a signed agreement')
})

// R-everywhere-42
test('shows the released text without signatures as the sample agreement', async () => {
  const { body } = await requestPage(app, '/')
  const words = textOf(body.split('data-paper="true"')[1]?.split('</article>')[0] ?? '')
  for (const { label, value } of sample.facts.slice(1)) expect(words).toContain(`${label} ${value}`)
  const sections = [sample.payment ?? [], sample.disclaimer ?? [], sample.sections].flat()
  expect(sections).toHaveLength(7)
  for (const { title, paragraphs } of sections)
    for (const piece of [title, ...paragraphs]) expect(words).toContain(piece)
  expect(words.match(/Not signed yet/g)).toHaveLength(2)
  expect(words.match(/Sample text/g)).toHaveLength(1)
  expect(words).toContain(`Version ${currentTextVersion}`)
})

// R-everywhere-42
test('shows sharp, small screenshots of the product with reserved space', async () => {
  const { body } = await requestPage(app, '/')
  const pictures = [...body.matchAll(/<img [^>]*>/g)].map(([tag]) => tag)
  const screens = pictures.filter((tag) => 'data-scheme' in attributesOf(tag))
  expect(screens).toHaveLength(16)
  for (const tag of screens) {
    const { src = '', width, height, alt = '', loading } = attributesOf(tag)
    expect([src.startsWith('/assets/'), alt.length > 10, loading]).toEqual([true, true, 'lazy'])
    const file = readBuilt(src.slice(1))
    expect(file.length, src).toBeLessThan(60_000)
    const { width: across, height: down } = await sharp(file).metadata()
    expect([across, down], src).toEqual([2 * Number(width), 2 * Number(height)])
  }
  // Equally many for light and dark.
  const schemes = screens.map((tag) => attributesOf(tag)['data-scheme'])
  expect(schemes.filter((one) => one === 'dark')).toHaveLength(screens.length / 2)
  // The car of the shown side has priority, that of the other side waits for the switch.
  const cars = pictures.map(attributesOf).filter(({ src = '' }) => src.startsWith('/illustrations/'))
  expect(cars.map(({ fetchPriority, loading }) => [fetchPriority, loading])).toEqual([
    ['high', undefined],
    [undefined, 'lazy'],
  ])
})

const sample = buildAgreement({
  date: '2026-11-16T12:00:00.000Z',
  day: '2026-11-16',
  zone: 'Eastern Time',
  sellerName: 'Sam Seller',
  buyerName: 'Bea Buyer',
  make: 'Honda',
  model: 'Accord',
  year: 2003,
  vin: '1HGCM82633A004352',
  mileage: 98_400,
  price: cents(950_000),
  trades: [],
  leftToPay: cents(950_000),
  sellerOwes: false,
  sellerPayoffAmount: null,
  sellerLender: '',
  textVersion: currentTextVersion,
})

/** Visible text, with one space between elements. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')

const attributesOf = (tag: string): Record<string, string> =>
  Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

// R-everywhere-28
test('links to the car that the URL names, whatever else the URL contains', async () => {
  const { body } = await requestPage(app, `/?${link}`)
  expect(body).toMatch(/value="buying"[^>]*checked|checked=""[^>]*value="buying"/)
  expect(body).toContain(`href="/buy-this-car?${link.replace('&', '&amp;')}"`)
  expect(body).not.toContain('href="/login"')
  const { body: half } = await requestPage(app, `/?userId=%22%3E%3Cscript%3E`)
  expect(half).toContain('/register/seller?userId=%22%3E%3Cscript%3E')
  expect(half).toContain('href="/login"')
})

// R-everywhere-28
test('links signed-in users to their start page, and keeps caches from mixing up pages', async () => {
  const stranger = await requestPage(app, '/')
  const buyer = await requestPage(app, '/', await aBuyer(server))
  const wholesaler = await requestPage(app, '/', await aWholesaler(server))
  expect(buyer.body).toContain('href="/home"')
  expect(wholesaler.body).toContain('href="/wholesaler"')
  for (const { body, headers } of [buyer, wholesaler]) {
    expect(body).not.toContain('href="/login"')
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'cookie, accept-encoding' })
  }
  expect(stranger.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'cookie, accept-encoding' })
  expect(new Set([stranger, buyer, wholesaler].map(({ headers }) => headers.etag)).size).toBe(3)
})

test('shows the landing page to everybody while the database is unavailable', async () => {
  const buyer = await aBuyer(server)
  const away = openDatabase({ host: '127.0.0.1', port: 1 })
  const without = await openAppWithPages(server, { db: away.db, pool: away.pool })
  for (const browser of [undefined, buyer]) {
    const { statusCode, body } = await requestPage(without, '/', browser)
    expect([statusCode, body.includes('href="/login"')]).toEqual([200, true])
  }
  await away.close()
})

// R-everywhere-16
test('returns a readable 429 page when the limit is exceeded', async () => {
  const limited = await openAppWithPages(server, { config: { ...server.deps.config, rateLimits: true } })
  const open = () => limited.inject({ url: '/', headers: { accept: 'text/html' }, remoteAddress: '10.9.8.6' })
  for (let i = 0; i < addressLimits.pages.max; i++) expect((await open()).statusCode).toBe(200)
  const refused = await open()
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  expect(refused.body).toContain('Too many requests.')
})

test('compresses an unchanged page once, and returns 304 to clients that have it', async () => {
  const plain = await requestPage(app, '/')
  const br = await requestPage(app, '/', undefined, { 'accept-encoding': 'gzip, br' })
  const gz = await requestPage(app, '/', undefined, { 'accept-encoding': 'gzip' })
  expect([br, gz].map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip'])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body)
  const again = await requestPage(app, '/', undefined, { 'if-none-match': String(plain.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  const refusing = await requestPage(app, '/', undefined, { 'accept-encoding': 'br;q=0, gzip;q=0' })
  expect(refusing.headers['content-encoding']).toBe(undefined)
})

test('serves the operator’s texts as pages, and redirects /contact to the landing page', async () => {
  for (const [path, title] of [
    ['/privacy', 'Privacy Policy'],
    ['/tos', 'Terms of Service'],
  ] as const) {
    const { statusCode, body } = await requestPage(app, path, undefined, { accept: '*/*' })
    expect([statusCode, body.includes(`>${title}</h1>`)]).toEqual([200, true])
  }
  const { statusCode, headers } = await requestPage(app, '/contact')
  expect([statusCode, headers.location]).toEqual([302, '/#contact'])
})

// R-everywhere-61
test('shows the operator’s own texts in place of placeholders, which say so once', async () => {
  const own = await openAppWithPages(server, {
    config: { ...server.deps.config, legalTexts: readLegalTexts('LEGAL_TEXTS_FOLDER', createLegalTexts()) },
  })
  for (const [path, title, words] of [
    ['/privacy', 'Our Privacy', ['Data', 'We store your name.']],
    ['/tos', 'Our Terms', ['Read these first.', 'Use', 'Be kind.', 'Be honest.']],
  ] as const) {
    expect((await requestPage(app, path)).body.match(/Placeholder text/g)).toHaveLength(1)
    const { body } = await requestPage(own, path)
    expect([body.includes(`>${title}</h1>`), body.includes('Placeholder text')]).toEqual([true, false])
    for (const piece of words) expect(textOf(body)).toContain(piece)
  }
  const { body } = await requestPage(own, '/')
  const sheet = textOf(body.split('data-paper="true"')[1]?.split('</article>')[0] ?? '')
  for (const piece of ['Our Agreement', 'Condition', 'Maine’s law applies.', 'Agreed price $9,500'])
    expect(sheet).toContain(piece)
  expect(sheet).not.toContain('Sample text')
  expect(/ id="hold"[^>]*>([^<]*)/.exec(body)?.[1]).toBe('The car is held for 72 hours.')
})

// R-everywhere-37
test('omits sample testimonials in production', async () => {
  const file = join(folder, 'said.json')
  const own = [{ name: 'Ana', stars: 5, text: 'Two evenings, no stranger in my car.' }]
  writeFileSync(file, JSON.stringify(own))
  expect((await requestPage(app, '/')).body).toContain('These are samples. Nobody has said this yet.')
  const { config } = server.deps
  const production = { ...config, production: true }
  expect((await requestPage(await openAppWithPages(server, { config: production }), '/')).body).not.toContain(
    said,
  )
  const withOwn = await openAppWithPages(server, { config: { ...production, testimonialsFile: file } })
  const page = (await requestPage(withOwn, '/')).body
  for (const words of [said, 'Two evenings']) expect(page).toContain(words)
  expect(page).not.toContain('samples')
  writeFileSync(file, JSON.stringify([{ ...own[0], text: 'Quicker than we thought.' }]))
  expect((await requestPage(withOwn, '/')).body).toContain('Quicker than we thought.')
  writeFileSync(file, JSON.stringify([{ ...own[0], stars: 6 }]))
  expect((await requestPage(withOwn, '/')).body).not.toContain(said)
})

const said = 'What people say'

// R-everywhere-68
test('explains every operation for integrators at /developers, whose links all lead somewhere', async () => {
  const { statusCode, body } = await requestPage(app, '/developers', undefined, { accept: '*/*' })
  expect(statusCode).toBe(200)
  const document = (await server.app.inject('/openapi.json')).json<OpenApiDocument>()
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const operation of operations)
    expect([operation.operationId, ids.has(operation.operationId)]).toEqual([
      operation.operationId,
      operation['x-internal'] !== true,
    ])
  const targets = [...body.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id)
  expect(targets.length).toBeGreaterThan(400)
  expect(targets.filter((id) => !ids.has(id))).toEqual([])
  // One page has to stay readable on a phone's connection.
  const { rawPayload } = await requestPage(app, '/developers', undefined, { 'accept-encoding': 'br' })
  expect(rawPayload.length).toBeLessThan(50_000)
})
