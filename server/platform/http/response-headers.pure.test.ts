import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { setHeaders } from './response-headers.ts'
import { servePages } from './serve-pages.ts'

// Compares exact values, because a missing directive permits more (R-everywhere-13).

const ofEveryAnswer = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
const ofEveryPage = {
  ...ofEveryAnswer,
  // Revalidated each time, because a page names the files of its build.
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; manifest-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
  'cross-origin-opener-policy': 'same-origin',
  // Only our own pages scan VINs (R-cars-22), not what they might embed.
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
  'x-frame-options': 'DENY',
}
const onHttps = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
const folder = createWebFolder()
const names = Object.keys({ ...ofEveryPage, ...onHttps })

test.each([true, false])(
  'sends exactly these headers with responses and pages, with https: %j',
  async (https) => {
    const { answer, page } = await headersOfBoth(https)
    const more = https ? onHttps : {}
    expect(answer).toEqual({ ...ofEveryAnswer, ...more })
    expect(page).toEqual({ ...ofEveryPage, ...more })
  },
)

async function headersOfBoth(https: boolean) {
  const app = fastify()
  setHeaders(app, https)
  app.get('/call', async () => ({}))
  await servePages(app, folder, [])
  const answer = await app.inject({ url: '/call' })
  const page = await app.inject({ url: '/home', headers: { accept: 'text/html' } })
  await app.close()
  return { answer: namedIn(answer.headers), page: namedIn(page.headers) }
}

const namedIn = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))
