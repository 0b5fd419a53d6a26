import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { dealerCardTexts } from '@keyturn/contract/cars/dealer-card-texts.ts'
import { captionCarPhoto, describeCar } from '@keyturn/contract/cars/endpoints.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { startProgress } from '@keyturn/contract/deals/endpoints.ts'
import type { Photo } from '@keyturn/contract/shared/photo.ts'
import { describe, expect, test } from 'vitest'
import { recordStatements } from '../../../tests/support/database/database.ts'
import { openAppWithPages, requestPage } from '../../../tests/support/pages.ts'
import { aBuyer, aSeller } from '../../../tests/support/people.ts'
import { addPhoto, aPicture } from '../../../tests/support/pictures.ts'
import {
  aListing,
  aRequest,
  aSaleAt,
  aVin,
  completeSale,
  confirmBuyer,
  signAsBuyer,
  signAsSeller,
} from '../../../tests/support/sales/deals.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { addressLimits } from '../../platform/rate-limits/endpoint-limits.ts'

const publicUrl = 'https://keyturn.example'
const server = await startTestServer()
const { config } = server.deps
const app = await openAppWithPages(server, { config: { ...config, publicUrl: new URL(publicUrl) } })
/** Without the HTTPS address, which changes the names of the cookies. */
const plain = await openAppWithPages(server)

const { public: texts } = carTexts
const pathOf = (at: { userId: string; vin: string }) => `/car?${new URLSearchParams(at)}`
const metaOf = (html: string): Record<string, string | undefined> =>
  Object.fromEntries(
    [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  )

describe('a stranger', async () => {
  const sale = await aSaleAt(server, 'requested', { payoff: true, zipCode: '87104' })
  const sent = await requestPage(app, pathOf(sale.at))

  // R-cars-16
  test('serves the complete car page in the initial HTML', () => {
    expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const read = sent.body.slice(sent.body.indexOf('<body'))
    for (const words of [
      texts.welcome('Selma Sanders', '2003 Honda Accord'),
      '$9,500',
      '91,000 miles',
      '87104, NM',
      carTexts.owed,
      sale.seller.email,
      texts.how.title,
      ...texts.how.steps,
      texts.binding,
      texts.buy,
    ])
      expect(read).toContain(words)
    expect(sent.body).not.toContain(sale.buyer.id)
  })

  test('gets the constant part of the page first, so that it is compressed once', async () => {
    const other = await requestPage(app, pathOf((await aSaleAt(server, 'requested')).at))
    const beginning = sent.body.slice(0, sent.body.indexOf('</style>'))
    expect(beginning.length).toBeGreaterThan(10_000)
    expect(other.body.startsWith(beginning)).toBe(true)
  })

  // R-everywhere-13
  test('gets an uncacheable page with a policy for its one script and style sheet', () => {
    expect(sent.headers).toMatchObject({ 'cache-control': 'no-store', vary: 'cookie, accept-encoding' })
    const policy = String(sent.headers['content-security-policy'])
    expect(policy).not.toContain('unsafe-inline')
    const inline = [...sent.body.matchAll(/<(script|style)>(.*?)<\/\1>/gs)]
    expect(inline.map(([, name]) => name).sort()).toEqual(['script', 'style'])
    for (const [, name, text = ''] of inline)
      expect(policy).toContain(
        `${name}-src 'self' 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      )
    expect(sent.body).not.toMatch(/\s(style|on\w+)="/)
    // The script in the page fetches this after the first paint.
    const files = [...sent.body.matchAll(/import\('([^']*)'/g)].map(([, src]) => src)
    expect(files).toEqual([expect.stringMatching(/^\/assets\/rendered-/)])
    expect(sent.body).not.toMatch(/<script [^>]*src=/)
  })

  test('gets gzip when it accepts gzip', async () => {
    const packed = await requestPage(app, pathOf(sale.at), undefined, { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).toString()).toBe(sent.body)
    expect(packed.rawPayload.length).toBeLessThan(14_000)
  })

  test('costs the server one database query', async () => {
    expect((await recordStatements(() => requestPage(app, pathOf(sale.at)))).statements).toHaveLength(1)
  })
})

// R-cars-38
test('says what was checked, and only that', async () => {
  const { at } = await aListing(server, { payoff: false })
  const read = async () => (await requestPage(app, pathOf(at))).body
  const checked = '<li data-checked="true">'
  expect(await read()).toContain(`${checked}${texts.checks.email}</li><li>${texts.checks.noLoan}</li>`)
  const store = (make: string) =>
    server.query('update vin_answers set make = $2 where vin = $1', [at.vin, make])
  await server.query(
    `insert into vin_answers (vin, make, model, year) values ($1, 'HONDA', 'Accord', 2003)
      on conflict (vin) do update set make = excluded.make, model = excluded.model, year = excluded.year`,
    [at.vin],
  )
  expect(await read()).toContain(`${checked}${texts.checks.vin('2003 HONDA Accord')}</li>`)
  await store('Toyota')
  expect(await read()).not.toContain('VIN checked')
  await server.query('update users set verified_at = null where id = $1', [at.userId])
  expect(await read()).not.toContain(texts.checks.email)
})

// R-cars-39
test('shows the dealer of the car’s area, and what it does with money and title', async () => {
  const { at } = await aListing(server, { payoff: true, zipCode: '60601' })
  const beforehand = (await requestPage(app, pathOf(at))).body
  const id = 'd'.repeat(24)
  await server.query(
    `insert into dealers (id, name, phone, hours) values ($1, 'Lake Motors', '312-555-0100', 'Mon to Sat')`,
    [id],
  )
  await server.query('insert into dealer_areas (dealer_id, first_zip, last_zip) values ($1, 60600, 60699)', [
    id,
  ])
  const { body } = await requestPage(app, pathOf(at))
  expect(beforehand).toContain(dealerCardTexts.pays(config.dealer.name))
  for (const words of [
    'Lake Motors',
    '312-555-0100',
    'Mon to Sat',
    dealerCardTexts.noLocation('Lake Motors'),
  ])
    expect(body).toContain(words)
  expect(body).toContain(dealerCardTexts.titlePassesAfterLoan('Lake Motors'))
  const passed = await aSaleAt(server, 'passed', { zipCode: '60601' })
  await server.query('update dealers set active = false where id = $1', [id])
  expect((await requestPage(app, pathOf(passed.at))).body).toContain('Lake Motors')
  expect((await requestPage(app, pathOf(at))).body).not.toContain('Lake Motors')
})

describe('a car with photos and text from its seller', async () => {
  const sale = await aListing(server)
  const photos: Photo[] = []
  for (const [width, height] of [
    [700, 400],
    [400, 600],
    [64, 48],
  ])
    photos.push((await addPhoto(sale.seller, sale.car, await aPicture(width, height))).answer.photo)
  const [first, second, third] = photos
  if (!first || !second || !third) throw new Error('three photos')
  const params = { carId: sale.car._id, photoId: second.id }
  await sale.seller.ask(captionCarPhoto, { params, body: { caption: 'The <b>trunk</b>' } })
  const words = { description: 'One <i>careful</i> owner.\nNo rust.', condition: 'A dent in the hood.' }
  await sale.seller.ask(describeCar, {
    params: { carId: sale.car._id },
    body: { ...words, owners: 1, titleHolder: 'SELLER' },
  })
  const { body } = await requestPage(app, pathOf(sale.at))
  const tagsOf = (name: string) => body.match(new RegExp(`<${name} [^>]*>`, 'g')) ?? []

  // R-cars-31
  test('preloads the first photo and loads the others lazily', () => {
    const [head = ''] = body.split('<body')
    const srcset = (photo: Photo, ...widths: number[]) =>
      widths.map((width) => `/photos/${photo.id}/${width}.avif ${width}w`).join(', ')
    expect(head).toContain(
      `<link rel="preload" as="image" type="image/avif" imagesrcset="${srcset(first, 320, 640, 700)}" imagesizes="(min-width: 62em) 611px, 100vw" fetchpriority="high">`,
    )
    expect(head.match(/as="image"/g)).toHaveLength(1)
    const images = tagsOf('img')
    expect(images.map((tag) => /src="\/photos\/(\w+)/.exec(tag)?.[1])).toEqual(photos.map(({ id }) => id))
    expect(images.map((tag) => /loading="(\w+)"/.exec(tag)?.[1])).toEqual(['eager', 'lazy', 'lazy'])
    for (const [at, tag] of images.entries()) {
      expect(tag).toContain(` width="${photos[at]?.width}" height="${photos[at]?.height}"`)
      expect(tag).toMatch(/ srcSet="[^"]+\.jpg \d+w" sizes="[^"]+"/)
    }
    expect(tagsOf('source')).toHaveLength(3)
    expect(body).not.toMatch(/\sstyle="/)
    expect(body).not.toContain(texts.illustrationOf('2003 Honda Accord EX'))
  })

  // R-cars-31
  test('links each photo in full size without a script, with alternative text', () => {
    for (const photo of photos)
      expect(body).toMatch(new RegExp(`<a [^>]*href="/photos/${photo.id}/${photo.width}.jpg"`))
    expect(tagsOf('img').map((tag) => /alt="([^"]*)"/.exec(tag)?.[1])).toEqual([
      'Photo 1 of 3',
      'The &lt;b&gt;trunk&lt;/b&gt;',
      'Photo 3 of 3',
    ])
    expect(tagsOf('dialog')).toHaveLength(1)
  })

  // R-cars-29
  test('shows the seller’s description as text', () => {
    for (const html of [
      'One &lt;i&gt;careful&lt;/i&gt; owner.\nNo rust.',
      words.condition,
      'Number of owners</dt><dd>1</dd>',
      'Title</dt><dd>With the seller</dd>',
    ])
      expect(body).toContain(html)
  })

  test('stays small with the maximum number of photos', async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({
      ...first,
      id: createHash('sha256').update(`photo ${at}`).digest('hex'),
      width: 1920,
    }))
    await server.query('update cars set photos = $1 where id = $2', [JSON.stringify(many), sale.car._id])
    const packed = await requestPage(app, pathOf(sale.at), undefined, { 'accept-encoding': 'gzip' })
    const html = gunzipSync(packed.rawPayload).toString()
    expect(html.match(/<img /g)).toHaveLength(20)
    // R-cars-31: one large and four small photos, of which the last tells how many there are more.
    expect(html.match(/data-more="true">15 more</g)).toHaveLength(1)
    expect(html.slice(0, html.indexOf('15 more')).match(/<img /g)).toHaveLength(5)
    expect(packed.rawPayload.length).toBeLessThan(20_000)
  })
})

// R-cars-21
test('shows a car without photos as an illustration in its color, and says so', async () => {
  const sale = await aListing(server)
  await server.query(`update cars set body_class = 'Minivan', color = 'Ruby Red' where vin = $1`, [
    sale.at.vin,
  ])
  const { body } = await requestPage(app, pathOf(sale.at))
  const [, source = ''] = /<img [^>]*src="([^"]+)"/.exec(body) ?? []
  expect(source).toMatch(/^\/illustrations\/minivan-red-\d+\.svg$/)
  expect(body).toContain(texts.illustrationOf('2003 Honda Accord EX'))
  const get = (url: string) => app.inject({ url })
  const { statusCode, headers, body: svg } = await get(source)
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'public, max-age=31536000, immutable',
  ])
  expect(svg).toMatch(/^<svg .*<\/svg>$/)
  expect((await get('/illustrations/minivan-red-0.svg')).headers['cache-control']).toBe('no-cache')
  for (const name of ['boat-red-1.svg', 'minivan-plaid-1.svg', 'minivan-red-1.png', '..%2fminivan-red-1.svg'])
    expect((await get(`/illustrations/${name}`)).statusCode).toBe(404)
})

// R-everywhere-7
test('escapes every name', async () => {
  const { seller, at } = await aListing(server)
  const hostile = `</script></title><script>alert(1)</script>" onload='x' <img src=x>\u202eabc`
  await server.query('update users set first_name = $1 where id = $2', [hostile, seller.id])
  await server.query('update cars set make = $1, color = $1, model = $1, trim = $1 where vin = $2', [
    hostile,
    at.vin,
  ])
  const { body } = await requestPage(app, pathOf(at))
  expect(body).not.toMatch(/<script>alert|<img src=x|\u202e/)
  expect(body.match(/<script/g)).toHaveLength(1)
  expect(metaOf(body)['og:title']).toContain('&lt;/script&gt;&lt;/title&gt;')
  expect(body).toContain('&quot; onload=&#x27;x&#x27;')
})

// R-everywhere-15
test('serves the page for any Accept header except JSON, which gets an error', async () => {
  const { at } = await aListing(server)
  for (const accept of ['*/*', 'text/html, */*;q=0.1', 'image/webp,*/*;q=0.8', '']) {
    const sent = await app.inject({ url: pathOf(at), headers: accept ? { accept } : {} })
    expect(sent, accept).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  }
  const data = await requestPage(app, pathOf(at), undefined, { accept: 'application/json' })
  expect([data.statusCode, data.json().errorCode]).toEqual([404, 'NotFound'])
  const posted = await app.inject({ method: 'POST', url: pathOf(at) })
  expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET'])
})

// R-cars-15
test('reports a dead link and offers other links, and reports a malformed one without a query', async () => {
  const { at } = await aListing(server)
  const buyer = await aBuyer(server)
  for (const [link, reads] of [
    [{ ...at, userId: 'a'.repeat(24) }, 1],
    [{ ...at, vin: aVin() }, 1],
    [{ ...at, userId: 'nobody' }, 0],
    [{ ...at, vin: '1HGCM8' }, 0],
    [{}, 0],
  ] as const) {
    const { result, statements } = await recordStatements(() =>
      requestPage(app, `/car?${new URLSearchParams(link)}`),
    )
    const { statusCode, body } = result
    expect([statusCode, statements.length], JSON.stringify(link)).toEqual([404, reads])
    expect(body).toContain(`>${texts.invalid}</h1>`)
    expect(body).toMatch(/href="\/login"[^>]*>Log In/)
    expect(body).toMatch(/href="\/register"[^>]*>Get Started/)
    expect(metaOf(body)).toMatchObject({ robots: 'noindex' })
    expect(body).not.toContain('og:')
    const known = await requestPage(plain, `/car?${new URLSearchParams(link)}`, buyer)
    expect(known.body, JSON.stringify(link)).toMatch(/href="\/home"[^>]*>Go To Dashboard/)
    expect(known.body).not.toMatch(/href="\/(login|register)"/)
  }
})

// R-cars-15, R-everywhere-33
test('does not report the link as dead while the database is away', async () => {
  const { at } = await aListing(server)
  const away = openDatabase({ host: '127.0.0.1', port: 1 })
  const without = await openAppWithPages(server, { db: away.db, pool: away.pool })
  for (const [path, browser] of [
    [pathOf(at), undefined],
    [pathOf(at), await aBuyer(server)],
    [`/buy-this-car?${new URLSearchParams(at)}`, undefined],
  ] as const) {
    const { statusCode, body } = await requestPage(without, path, browser)
    expect(statusCode).toBe(503)
    expect(body).toContain(texts.mayBeGood)
    expect(body).toMatch(/href=""[^>]*>Try Again/)
  }
  await away.close()
})

describe('the Buy This Car button', async () => {
  const sale = await aSaleAt(server, 'requested')
  const query = `userId=${sale.at.userId}&amp;vin=${sale.at.vin}`
  const isDisabled = (word: string) => new RegExp(`<button[^>]* disabled=""[^>]*>${word}</button>`)
  const linkTo = (to: string, word: string) => new RegExp(`href="${to.replace('?', '\\?')}"[^>]*>${word}</a>`)
  const page = async (browser?: Parameters<typeof requestPage>[2]) =>
    (await requestPage(plain, pathOf(sale.at), browser)).body

  // R-cars-18
  test('links a signed-in buyer to the purchase and everyone else to registration', async () => {
    expect(await page()).toMatch(linkTo(`/buy-this-car?${query}`, texts.buy))
    expect(await page(await aBuyer(server))).toMatch(linkTo(`/buyer?${query}`, texts.buy))
    expect(await page(await aSeller(server))).toMatch(linkTo(`/buy-this-car?${query}`, texts.buy))
    // The app reads from the referrer where a registration came from.
    expect(await page()).toMatch(/buy-this-car[^>]*referrerPolicy="same-origin"/i)
  })

  test('is disabled for the seller, and leads a buyer to the purchase that they started', async () => {
    const own = await page(sale.seller)
    expect(own).toMatch(isDisabled(texts.buy))
    expect(own).toContain(texts.ownCar)
    expect(own).toMatch(linkTo(`/car/seller?${query}`, texts.toOwnCar))
    const started = await page(sale.buyer)
    expect(started).toContain(texts.begun)
    expect(started).toMatch(linkTo(`/buyer?${query}`, texts.continue))
  })

  // R-cars-17
  test('is disabled once a buyer is confirmed, except for that buyer', async () => {
    await confirmBuyer(sale)
    for (const other of [undefined, await aBuyer(server)]) {
      const pending = await page(other)
      expect(pending).toMatch(isDisabled(texts.salePending))
      expect(pending).toContain(texts.pendingHint)
    }
    const confirmed = await page(sale.buyer)
    expect(confirmed).toContain(texts.confirmed)
    expect(confirmed).toContain(`>${texts.binding}</p>`)
    expect(confirmed).toMatch(linkTo(`/buyer?${query}`, texts.continue))
  })

  // R-cars-17
  test('leads the buyer to the deal once both have signed, and calls nothing unbinding any more', async () => {
    for (const act of [signAsSeller, signAsBuyer]) await act(sale)
    const signed = await page(sale.buyer)
    expect(signed).toContain(texts.bothSigned)
    expect(signed).toMatch(linkTo(`/buyer?${query}`, texts.viewDeal))
    for (const reader of [sale.buyer, sale.seller, undefined])
      expect(await page(reader)).not.toContain(`>${texts.binding}</p>`)
  })
})

// R-cars-19
test('shows a sold car to its parties and to buyers with a request, and 404 to anyone else', async () => {
  const sale = await aSaleAt(server, 'requested')
  const [waiting, starter] = [await aBuyer(server), await aBuyer(server)]
  await aRequest(sale, waiting, 9300)
  await starter.ask(startProgress, { body: sale.at })
  for (const act of [confirmBuyer, signAsSeller, signAsBuyer]) await act(sale)
  await completeSale(server, sale)
  for (const [reader, words, isBuyer] of [
    [sale.buyer, texts.bought, true],
    [sale.seller, texts.sold, false],
    [waiting, texts.lost, true],
  ] as const) {
    const { statusCode, body } = await requestPage(plain, pathOf(sale.at), reader)
    expect([statusCode, body.includes(words), body.includes('href="/buyer?')]).toEqual([200, true, isBuyer])
    expect(body).not.toContain(carTexts.facts.payoff)
    if (reader === waiting) expect(body).not.toContain(sale.seller.email)
  }
  for (const other of [undefined, await aBuyer(server), starter]) {
    const { statusCode, body } = await requestPage(plain, pathOf(sale.at), other)
    expect([statusCode, body.includes(texts.invalid)]).toEqual([404, true])
  }
})

// R-accounts-32
test('treats a caller with an expired cookie as a stranger, and marks the page accordingly', async () => {
  const { at } = await aListing(server)
  const buyer = await aBuyer(server)
  const known = await requestPage(plain, pathOf(at), buyer)
  expect(known.body).toContain('data-visitor="known"')
  await server.moveClock('11 minutes')
  const { statusCode, body } = await requestPage(plain, pathOf(at), buyer)
  await server.moveClock('0')
  expect([statusCode, body.includes('data-visitor="none"')]).toEqual([200, true])
  expect(body).toContain('/buy-this-car?')
})

// R-everywhere-16
test('returns a 429 page when an address opens too many cars', async () => {
  const { at } = await aListing(server)
  const limited = await openAppWithPages(server, { config: { ...config, rateLimits: true } })
  const open = () =>
    limited.inject({ url: pathOf(at), headers: { accept: 'text/html' }, remoteAddress: '10.9.8.7' })
  for (let i = 0; i < 60; i++) expect((await open()).statusCode).toBe(200)
  const refused = await open()
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.body).toContain('Too many requests.')
  expect(addressLimits.pages.max).toBeGreaterThan(60)
})
