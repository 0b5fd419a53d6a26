import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getUser } from '@keyturn/contract/accounts/calls.ts'
import { allCalls } from '@keyturn/contract/calls.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { aSaleAt } from '../test/deals.ts'
import { openHouse } from '../test/house.ts'
import { inputsOf, nobodys } from '../test/inputs.ts'

const house = await openHouse()
const folder = mkdtempSync(join(tmpdir(), 'keyturn-pages-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Keyturn</title>')
writeFileSync(join(folder, 'assets', 'app.js'), 'export {}')
/** The same server with pages of its own, so that nothing has to be built first. */
const app = await buildApp(house.deps, pathToFileURL(`${folder}/`))
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const methods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const page = { accept: 'text/html,application/xhtml+xml' }
const ours = ['/health/live', '/health/ready', '/openapi.json', '/car/preview.jpg', '/car/preview.png']

// R-everywhere-14
describe('a method that the contract does not name does nothing, and says which ones do', async () => {
  const { seller, buyer, car } = await aSaleAt(house, 'requested')
  const rows = { ...nobodys(), sellerId: seller.id, buyerId: buyer.id, carId: car._id, vin: car.vin }
  const cookie = [...seller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const paths = allCalls.map((call) => {
    const params = inputsOf(call, rows)[0].params ?? {}
    return call.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  })

  test.each([...new Set([...paths, ...ours])])('%s', async (path) => {
    const allowed = ours.includes(path) ? ['GET'] : methodsAt(path)
    const before = await everything()
    for (const method of methods.filter((one) => !allowed.includes(one)))
      for (const url of [path, `${path}/`, `${path}?x=1`]) {
        const sent = await app.inject({ method, url, headers: { cookie, ...page } })
        expect(`${method} ${sent.statusCode} ${sent.headers.allow}`).toBe(
          `${method} 405 ${allowed.join(', ')}`,
        )
        if (method !== 'HEAD') expect(sent.json().errorCode).toBe('MethodNotAllowed')
      }
    expect(await everything()).toEqual(before)
    expect((await seller.send(getUser)).status).toBe(200)
  })
})

test('what nobody knows is 404 and JSON, whoever asks for it and how', async () => {
  for (const path of ['/nothing', '/cars', '/cars/a/b/c/d', '/assets/nothing.js', '/.env', '/index.html'])
    for (const method of methods) {
      if (method === 'GET') continue
      const sent = await app.inject({ method, url: path, headers: page })
      expect([method, path, sent.statusCode]).toEqual([method, path, 404])
      if (method !== 'HEAD') expect(sent.json().errorCode).toBe('NotFound')
    }
  for (const accept of [undefined, '*/*', 'application/json', 'image/avif,image/webp,*/*;q=0.8']) {
    const sent = await app.inject({ url: '/nothing', headers: accept ? { accept } : {} })
    expect([sent.statusCode, sent.json().errorCode]).toEqual([404, 'NotFound'])
  }
})

// R-everywhere-15
test('one of the app’s own pages is also for who takes anything, and for nobody who asks for data', async () => {
  for (const url of ['/home', '/profile', '/email/somebody@example.com', '/car/seller?userId=1&vin=2'])
    for (const accept of [undefined, '*/*', 'image/avif,image/webp,*/*;q=0.8']) {
      const sent = await app.inject({ url, headers: accept ? { accept } : {} })
      expect([url, sent.statusCode, sent.body.includes('<title>Keyturn')]).toEqual([url, 200, true])
    }
  const data = await app.inject({ url: '/home', headers: { accept: 'application/json' } })
  expect([data.statusCode, data.json().errorCode]).toEqual([404, 'NotFound'])
})

// R-everywhere-15
test('a page is for a GET that names HTML, at any address that no call has, under a policy without inline scripts', async () => {
  for (const url of [
    '/',
    '/home',
    '/car/seller?userId=1&vin=2',
    '/index.html',
    '/a/b/c/d/e',
    '/nothing.js',
  ]) {
    const sent = await app.inject({ url, headers: page })
    expect([url, sent.statusCode, sent.headers['content-type']]).toEqual([
      url,
      200,
      'text/html; charset=utf-8',
    ])
    expect(sent.body).toContain('<title>Keyturn')
    const policy = policyOf(sent.headers['content-security-policy'])
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('script-src') ?? policy.get('default-src')).not.toContain("'unsafe-inline'")
    expect(policy.get('script-src') ?? policy.get('default-src')).not.toContain("'unsafe-eval'")
    for (const none of ['object-src', 'base-uri', 'frame-ancestors'])
      expect(policy.get(none)).toEqual(["'none'"])
    expect(policy.get('form-action')).toEqual(["'self'"])
    expect(sent.headers).toMatchObject({ ...always, 'cross-origin-opener-policy': 'same-origin' })
    // The app scans VINs; nobody else on the page does (R-cars-22).
    expect(sent.headers['permissions-policy']).toMatch(/^camera=\((self)?\), microphone=\(\)/)
  }
})

test('the answer of a call is data and nothing else, refused or not', async () => {
  for (const [url, status] of [
    ['/openapi.json', 200],
    ['/user', 401],
    [`/cars/public/${'a'.repeat(24)}/1HGCM82633A004352`, 404],
    ['/nothing', 404],
    ['/%ff', 400],
  ] as const) {
    const sent = await app.inject({ url })
    expect([url, sent.statusCode]).toEqual([url, status])
    expect(sent.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(sent.headers).toMatchObject({ ...always, 'cache-control': 'no-store' })
    expect(policyOf(sent.headers['content-security-policy']).get('default-src')).toEqual(["'none'"])
    expect(Object.keys(sent.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(x-powered-by|server|access-control-.*)$/)]),
    )
  }
})

test('assets are kept for a year, and are not guessed at', async () => {
  const sent = await app.inject({ url: '/assets/app.js' })
  expect(sent.statusCode).toBe(200)
  expect(sent.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(sent.headers['content-type']).toMatch(/javascript/)
})

test('behind https every answer asks for https from now on', async () => {
  const config = { ...house.deps.config, publicUrl: new URL('https://keyturn.example') }
  const secure = await buildApp({ ...house.deps, config }, pathToFileURL(`${folder}/`))
  for (const url of ['/', '/user', '/assets/app.js'])
    expect((await secure.inject({ url, headers: page })).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
  await secure.close()
  expect((await app.inject({ url: '/user' })).headers['strict-transport-security']).toBe(undefined)
})

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** By the paths of the contract, segment by segment. */
function methodsAt(path: string): string[] {
  const segments = path.split('/')
  const isAt = (pattern: string[]) =>
    pattern.length === segments.length &&
    pattern.every((part, i) => part === segments[i] || (part.startsWith(':') && segments[i] !== ''))
  return allCalls.filter((call) => isAt(call.path.split('/'))).map(({ method }) => method)
}

function policyOf(header: unknown): Map<string, string[]> {
  const parts = String(header)
    .split(';')
    .map((part) => part.trim().split(/ +/))
  return new Map(parts.map(([name = '', ...sources]) => [name, sources]))
}

/** Every row of every table, sessions and counters included. */
async function everything(): Promise<unknown[]> {
  const tables = await house.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  return house.query(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) from ${name} t`,
      )
      .join(' union all '),
  )
}
