import fastify from 'fastify'
import { expect, test } from 'vitest'
import { rejectCrossSite } from './cross-site.ts'
import { createErrorHandler } from './error-handlers.ts'

// Tests which requests count as same-site, without the rest of the server (R-everywhere-12).

const own = 'https://keyturn.example'
const app = fastify()
app.setErrorHandler(createErrorHandler())
rejectCrossSite(app, own)
for (const url of ['/read', '/auth/logout', '/auth/refresh', '/auth/admin/logout', '/auth/admin/refresh'])
  app.get(url, async () => 'done')
app.post('/change', async () => 'done')

type Headers = Record<string, string>
const statusOf = async (method: 'GET' | 'HEAD' | 'POST', url: string, headers: Headers) =>
  (await app.inject({ method, url, headers })).statusCode

const fetched = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
const script = { 'x-requested-with': 'app' }
const same = { 'sec-fetch-site': 'same-origin' }

test.each<[what: string, headers: Headers, change: number, signOut: number]>([
  ['our script', { ...same, ...fetched }, 200, 200],
  ['our script in an older mode', { ...same, ...fetched, 'sec-fetch-mode': 'same-origin' }, 200, 200],
  ['our page in an older browser', { origin: own }, 200, 403],
  ['our script in an older browser', { origin: own, ...script }, 200, 200],
  ['our script with a referrer only', { referer: `${own}/home?a=b`, ...script }, 200, 200],
  ['another script of our page', { origin: own, 'x-requested-with': 'XMLHttpRequest' }, 200, 403],
  ['a client that is no browser', {}, 200, 200],
  ['a link on our page', { ...same, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200, 403],
  ['an image on our page', { ...same, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, 200, 403],
  ['an image requested in fetch mode', { ...same, ...fetched, 'sec-fetch-dest': 'image' }, 200, 403],
  ['a prefetch', { ...same, ...fetched, 'sec-fetch-mode': 'no-cors' }, 200, 403],
  ['another site', { 'sec-fetch-site': 'cross-site', ...fetched }, 403, 403],
  ['an unknown value', { 'sec-fetch-site': 'SAME-ORIGIN ', ...fetched }, 403, 403],
  ['a subdomain', { 'sec-fetch-site': 'same-site', ...fetched }, 403, 403],
  ['the address bar', { 'sec-fetch-site': 'none', ...fetched }, 403, 403],
  ['another site with our origin', { 'sec-fetch-site': 'cross-site', origin: own, ...script }, 403, 403],
  ['our host with another scheme', { origin: own.replace('https:', 'http:'), ...script }, 403, 403],
  ['our host at another port', { origin: `${own}:1`, ...script }, 403, 403],
  ['an empty origin', { origin: '', ...script }, 403, 403],
  ['a page whose name begins like ours', { referer: `${own}.evil.example/`, ...script }, 403, 403],
  ['a foreign origin', { origin: 'https://evil.example', ...script }, 403, 403],
  ['a foreign origin from our page', { origin: 'null', referer: `${own}/`, ...script }, 403, 403],
  ['a foreign page', { referer: 'https://evil.example/', ...script }, 403, 403],
  ['an invalid referrer', { referer: 'nowhere', ...script }, 403, 403],
])('%s', async (_, headers, change, signOut) => {
  expect(await statusOf('POST', '/change', headers)).toBe(change)
  for (const url of ['/auth/logout', '/auth/refresh', '/auth/admin/logout', '/auth/admin/refresh'])
    expect(`${url} ${await statusOf('GET', url, headers)}`).toBe(`${url} ${signOut}`)
  // Requests that change nothing are answered for every origin; other sites cannot read the
  // response.
  expect(await statusOf('GET', '/read', headers)).toBe(200)
  expect(await statusOf('HEAD', '/read', headers)).toBe(200)
})
