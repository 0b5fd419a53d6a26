import { readCarFlyer } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import type { Browser } from '../../../../tests/support/browser.ts'
import { namesInScripts } from '../../../../tests/support/papers/names-in-scripts.ts'
import { hasPoppler, readPdfStreams, readPdfText, runPoppler } from '../../../../tests/support/papers/pdf.ts'
import { readQrCode } from '../../../../tests/support/papers/qr-code.ts'
import { aBuyer, aSeller } from '../../../../tests/support/people.ts'
import { addPhoto, aPicture } from '../../../../tests/support/pictures.ts'
import { aListing, aSaleAt } from '../../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../../tests/support/test-server.ts'
import { drawFlyer, type Flyer } from './flyer-pdf.ts'

const server = await startTestServer()

const print = (reader: Browser, vin: string, query = '') =>
  server.app.inject({
    url: `${readCarFlyer.path.replace(':vin', vin)}${query}`,
    headers: { cookie: [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })

// R-cars-33
test('prints the price, the facts, the code and the steps of a sale, and contact data only on request', async () => {
  const { seller, car, at } = await aListing(server, { zipCode: '87104', payoff: true })
  await addPhoto(seller, car, await aPicture(1400, 1000))
  const sent = await print(seller, car.vin)
  expect(sent.statusCode).toBe(200)
  expect(sent.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="2003-honda-accord-flyer.pdf"',
    'cache-control': 'no-store',
  })
  const text = readPdfText(sent.rawPayload)
  for (const words of [
    'For Sale 2003 Honda Accord EX $9,500',
    'Mileage 91,000 miles Color Silver Where 87104, NM',
    carTexts.owed,
    'Scan to see the car and make an offer.',
    ...carTexts.public.how.steps.map((step, at) => `${at + 1}. ${step}`),
  ])
    expect(text).toContain(words)
  const secrets = ['Selma', 'Sanders', seller.email, seller.phoneNumber]
  for (const secret of secrets) expect(sent.rawPayload.toString('latin1') + text).not.toContain(secret)
  expect(imagesIn(sent.rawPayload)).toBe(1)
  const link = `${server.deps.config.publicUrl.origin}/car?${new URLSearchParams(at)}`
  expect(await codeOn(sent.rawPayload)).toBe(link)
  expect(sent.rawPayload.toString('latin1')).toContain(`/URI (${link})`)

  const named = readPdfText((await print(seller, car.vin, '?contact=true')).rawPayload)
  expect(named).toContain(`Seller Selma Sanders · ${seller.phoneNumber} · ${seller.email}`)
})

test.each([
  ['letter', 612, 792],
  ['a4', 595.28, 841.89],
] as const)('fits on one page of %s, with the code inside the margins', async (paper, width, height) => {
  const pdf = await drawFlyer(aFlyer({ paper }))
  expect(pdf.toString('latin1')).toContain(`/MediaBox [0 0 ${width} ${height}]`)
  const code = squaresIn(pdf)
  const [lowest, last] = [
    Math.max(...code.map(({ y, h }) => y + h)),
    Math.max(...code.map(({ x, w }) => x + w)),
  ]
  expect(Math.min(...code.map(({ x }) => x))).toBe(44)
  expect(Math.round(height - lowest)).toBeGreaterThanOrEqual(44)
  // A phone reads a code of five centimeters or more at arm's length.
  expect(last - 44).toBeGreaterThan(142)
  expect(await codeOn(pdf)).toBe(aFlyer().link)
})

test('fits on one page even with the longest names, and is readable without colors', async () => {
  const longest = aFlyer({
    title: `2003 ${'W'.repeat(64)} ${'W'.repeat(64)} ${'W'.repeat(64)}`,
    facts: [
      { label: 'Mileage', value: '2,000,000 miles' },
      { label: 'Color', value: 'W'.repeat(64) },
      { label: 'Where', value: '87104, NM' },
    ],
    remark: carTexts.owed,
    seller: `${'W'.repeat(255)} ${'W'.repeat(255)} · 313-555-0100 · ${'w'.repeat(240)}@example.com`,
  })
  for (const paper of ['letter', 'a4'] as const) {
    const pdf = await drawFlyer({ ...longest, paper })
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
    expect(await codeOn(pdf)).toBe(longest.link)
    const colors = readPdfStreams(pdf).flatMap(
      (content) => content.match(/[\d. ]+(?= (scn|rg|SCN|RG)\b)/g) ?? [],
    )
    expect(colors.length).toBeGreaterThan(0)
    for (const color of colors) expect(new Set(color.trim().split(' ')).size).toBe(1)
  }
})

// R-deals-102
test.runIf(hasPoppler)('prints names of any script, with the phone number behind them', async () => {
  for (const name of [namesInScripts.Japanese, namesInScripts.Hindi, namesInScripts.Hawaiian]) {
    const pdf = await drawFlyer(aFlyer({ seller: `${name} · 313-555-0100`, title: `2003 ${name}` }))
    const lines = runPoppler('pdftotext', pdf).split('\n')
    expect(lines).toEqual(expect.arrayContaining([`${name} · 313-555-0100`, `2003 ${name}`]))
  }
  const { seller, car } = await aListing(server)
  const rename = (first: string, last: string) =>
    server.query('update users set first_name = $2, last_name = $3 where id = $1', [seller.id, first, last])
  await rename('שרה', 'כהן')
  const { rawPayload } = await print(seller, car.vin, '?contact=true')
  const words = runPoppler('pdftotext', rawPayload, '-bbox').matchAll(/xMin="([\d.]+)".*>(.*)<\/word>/g)
  const left = new Map([...words].map(([, x, word = '']) => [word, Number(x)]))
  // Here Poppler gives the letters of a word from left to right.
  const [first, last] = ['שרה', 'כהן'].map((word) => left.get([...word].reverse().join('')))
  expect(last).toBeLessThan(first ?? 0)
  expect(first).toBeLessThan(left.get(seller.email) ?? 0)
  await rename('ᠪᠠᠲᠤ', 'ᠪᠠᠲᠤ')
  expect(readPdfText((await print(seller, car.vin, '?contact=true')).rawPayload)).not.toContain('\ufffd')
})

test('draws a car without a photo', async () => {
  const { seller, car } = await aListing(server)
  const { rawPayload } = await print(seller, car.vin)
  expect(imagesIn(rawPayload)).toBe(0)
  const lines = async (body: Flyer['body']) => readPdfStreams(await drawFlyer(aFlyer({ body })))
  expect(await lines('sedan')).toEqual(await lines(null))
  expect(await lines('pickup')).not.toEqual(await lines('van'))
})

// R-cars-33
test('returns 404 to everyone else and for a reserved or sold car', async () => {
  const sale = await aSaleAt(server, 'requested')
  const none = await print(sale.seller, '1HGCM82633A000000')
  expect(none.statusCode).toBe(404)
  for (const other of [await aSeller(server), await aBuyer(server), sale.buyer]) {
    const { statusCode, body } = await print(other, sale.car.vin)
    expect([statusCode, body]).toEqual([404, none.body])
  }
  expect((await print(server.browser(), sale.car.vin)).statusCode).toBe(401)
  const sold = await aSaleAt(server, 'completed')
  expect((await print(sold.seller, sold.car.vin)).statusCode).toBe(404)
  const promised = await aSaleAt(server, 'confirmed')
  expect((await print(promised.seller, promised.car.vin)).statusCode).toBe(404)
  for (const wrong of ['?paper=a5', '?contact=1'])
    expect((await print(sale.seller, sale.car.vin, wrong)).statusCode).toBe(400)
})

test('prints nothing while the photo cannot be read', async () => {
  const { seller, car } = await aListing(server)
  await addPhoto(seller, car)
  const away = vi.spyOn(server.deps.pictures.store, 'open').mockRejectedValue(new Error('away'))
  const { statusCode } = await print(seller, car.vin)
  away.mockRestore()
  expect(statusCode).toBe(503)
})

const aFlyer = (wishes: Partial<Flyer> = {}): Flyer => ({
  paper: 'letter',
  title: '2003 Honda Accord EX',
  price: '$9,500',
  facts: [
    { label: 'Mileage', value: '91,000 miles' },
    { label: 'Color', value: 'Silver' },
  ],
  remark: null,
  body: null,
  photo: null,
  link: `https://keyturn.example/car?userId=${'a'.repeat(24)}&vin=1HGCM82633A004352`,
  seller: null,
  ...wishes,
})

const imagesIn = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0

/**
 * The squares of the code, in points from the upper left corner; nothing else on the page is as
 * small.
 */
const squaresIn = (pdf: Buffer) =>
  readPdfStreams(pdf)
    .flatMap((content) => [...content.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\b/g)])
    .map(([, x, y, w, h]) => ({ x: Number(x), y: Number(y), w: Number(w), h: Number(h) }))
    .filter(({ h }) => h < 8)

/** Decodes the code like a camera. */
async function codeOn(pdf: Buffer): Promise<string | undefined> {
  const squares = squaresIn(pdf)
  const [left, top] = [Math.min(...squares.map(({ x }) => x)), Math.min(...squares.map(({ y }) => y))]
  const rects = squares.map(
    ({ x, y, w, h }) => `<rect x="${x - left + 20}" y="${y - top + 20}" width="${w}" height="${h}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${rects.join('')}</svg>`
  return (await readQrCode(await sharp(Buffer.from(svg), { density: 288 }).png().toBuffer())).text
}
