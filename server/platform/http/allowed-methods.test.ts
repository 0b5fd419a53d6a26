import { getUser } from '@keyturn/contract/accounts/endpoints.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { exampleInputs, targetWithoutRows } from '../../../tests/support/example-inputs.ts'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { aSaleAt } from '../../../tests/support/sales/deals.ts'
import { digestTables } from '../../../tests/support/table-digests.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'

const server = await startTestServer()
/** Builds the server again with stub pages, so that no web build is needed. */
const app = await buildApp(server.deps, createWebFolder())
afterAll(() => app.close())

const methods = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const page = { accept: 'text/html,application/xhtml+xml' }
const ours = ['/health/live', '/health/ready', '/openapi.json', '/car/preview.jpg', '/car/preview.png']

// R-everywhere-14
describe('returns 405 with the allowed methods, and changes nothing, at', async () => {
  const { seller, buyer, car } = await aSaleAt(server, 'requested')
  const rows = {
    ...targetWithoutRows(),
    sellerId: seller.id,
    buyerId: buyer.id,
    carId: car._id,
    vin: car.vin,
  }
  const cookie = cookieHeader(seller)
  const paths = allEndpoints.map((call) => {
    const params = exampleInputs(call, rows)[0].params ?? {}
    return call.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  })

  test.each([...new Set([...paths, ...ours])])('%s', async (path) => {
    const allowed = ours.includes(path) ? ['GET'] : methodsAt(path)
    const before = await digestTables(server)
    for (const method of methods.filter((one) => !allowed.includes(one)))
      for (const url of [path, `${path}/`, `${path}?x=1`]) {
        const sent = await app.inject({ method, url, headers: { cookie, ...page } })
        expect(`${method} ${sent.statusCode} ${sent.headers.allow}`).toBe(
          `${method} 405 ${allowed.join(', ')}`,
        )
        if (method !== 'HEAD') expect(sent.json().errorCode).toBe('MethodNotAllowed')
      }
    expect(await digestTables(server)).toEqual(before)
    expect((await seller.send(getUser)).status).toBe(200)
  })
})

test('returns 404 as JSON for an unknown path unless a GET accepts HTML', async () => {
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
test('serves app pages to clients that accept anything, but not to those that ask for data', async () => {
  for (const url of ['/home', '/profile', '/email/somebody@example.com', '/car/seller?userId=1&vin=2'])
    for (const accept of [undefined, '*/*', 'image/avif,image/webp,*/*;q=0.8']) {
      const sent = await app.inject({ url, headers: accept ? { accept } : {} })
      expect([url, sent.statusCode, sent.body.includes('<title>Keyturn')]).toEqual([url, 200, true])
    }
  const data = await app.inject({ url: '/home', headers: { accept: 'application/json' } })
  expect([data.statusCode, data.json().errorCode]).toEqual([404, 'NotFound'])
})

// R-everywhere-15
test('serves the app at any URL without an endpoint to a GET that accepts HTML', async () => {
  for (const url of [
    '/',
    '/home',
    '/car/seller?userId=1&vin=2',
    '/index.html',
    '/a/b/c/d/e',
    '/nothing.js',
  ]) {
    const { statusCode, headers, body } = await app.inject({ url, headers: page })
    expect([url, statusCode, headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
    expect(body).toContain('<title>Keyturn')
  }
})

test('sends every API response as JSON with strict headers', async () => {
  for (const [url, status] of [
    ['/openapi.json', 200],
    ['/user', 401],
    [`/cars/public/${'a'.repeat(24)}/1HGCM82633A004352`, 404],
    ['/nothing', 404],
    ['/%ff', 400],
  ] as const) {
    const { statusCode, headers } = await app.inject({ url })
    expect([url, statusCode]).toEqual([url, status])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(Object.keys(headers).join()).not.toMatch(/x-powered-by|\bserver\b|access-control-/)
  }
})

/** The methods of the contract at this path, compared by segments. */
function methodsAt(path: string): string[] {
  const segments = path.split('/')
  const isAt = (pattern: string[]) =>
    pattern.length === segments.length &&
    pattern.every((part, i) => part === segments[i] || (part.startsWith(':') && segments[i] !== ''))
  return allEndpoints.filter((call) => isAt(call.path.split('/'))).map(({ method }) => method)
}
