import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { createWebFolder } from '../../../tests/support/http/web-folder.ts'
import { compressAssets } from '../../../tools/compress.mjs'
import { createErrorHandler } from './error-handlers.ts'
import { setHeaders } from './response-headers.ts'
import { servePages } from './serve-pages.ts'

const script = 'export const words = "as many as it takes to be worth it"\n'.repeat(100)
const folder = createWebFolder({
  'app-1.js': script,
  'app-1.css': '.a { color: red }\n'.repeat(100),
  'small-1.js': 'export {}',
  'letters-1.woff2': 'x'.repeat(5000),
})
const write = (path: string, text: string) => writeFileSync(new URL(path, folder), text)
write('color-scheme.js', 'export {}')
write('shell.html', '<!doctype html><title>Shell</title>')
write('sw.js', 'export {}')
await compressAssets(fileURLToPath(new URL('assets', folder)))

const app = await served()
const page = { accept: 'text/html' }
const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br', 'br', brotliDecompressSync],
])(
  'sends an asset for accept-encoding %s as %s, compressed by the build',
  async (accepted, encoding, open) => {
    const sent = await ask('/assets/app-1.js', { 'accept-encoding': accepted })
    expect(sent.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringContaining('javascript'),
      'cache-control': expect.stringContaining('immutable'),
      vary: 'accept-encoding',
    })
    expect(open(sent.rawPayload).toString()).toBe(script)
    expect(Number(sent.headers['content-length'])).toBeLessThan(script.length / 10)
    const styles = await ask('/assets/app-1.css', { 'accept-encoding': accepted })
    expect(styles.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'text/css; charset=utf-8',
    })
  },
)

test('sends an asset uncompressed, with a vary header, to other clients', async () => {
  for (const accepted of ['', 'identity', 'deflate']) {
    const sent = await ask('/assets/app-1.js', accepted ? { 'accept-encoding': accepted } : {})
    expect([sent.statusCode, sent.headers['content-encoding'], sent.body]).toEqual([200, undefined, script])
    expect(sent.headers.vary).toBe('accept-encoding')
  }
})

test('serves small and already compressed files uncompressed', async () => {
  for (const [url, type] of [
    ['/assets/small-1.js', 'javascript'],
    ['/assets/letters-1.woff2', 'font/woff2'],
    ['/color-scheme.js', 'javascript'],
  ] as const) {
    const sent = await ask(url, { 'accept-encoding': 'gzip, br' })
    expect([url, sent.statusCode, sent.headers['content-encoding']]).toEqual([url, 200, undefined])
    expect(sent.headers['content-type']).toContain(type)
  }
  expect((await ask('/color-scheme.js')).headers['cache-control']).toBe('no-cache')
})

test('returns an uncacheable 404 for an unknown asset', async () => {
  for (const name of [
    'gone-1.js',
    'app-1.js.br',
    'app-1.js.gz',
    '',
    '.',
    '..%2findex.html',
    '%2e%2e/index.html',
    '..%2f..%2fetc%2fpasswd',
    'x%2f..%2fapp-1.js',
    '%2fapp-1.js',
    '.%2fapp-1.js',
    'app-1.js%2f.',
    'x%5c..%5capp-1.js',
    '.hidden',
    'a%00b.js',
  ])
    for (const accepted of ['identity', 'br, gzip']) {
      const sent = await ask(`/assets/${name}`, { 'accept-encoding': accepted })
      expect([name, sent.statusCode]).toEqual([name, 404])
      expect([sent.headers['cache-control'], sent.json().errorCode]).toEqual(['no-store', 'NotFound'])
    }
})

test('serves the app with no-cache for an unknown asset when HTML is accepted', async () => {
  for (const url of ['/assets/gone-1.js', '/%61ssets/gone-1.js']) {
    const { statusCode, headers } = await ask(url, page)
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-cache'])
    expect(headers.vary).toBe(undefined)
  }
})

// R-everywhere-41
test('sends page headers with the files that the service worker caches, and lets it fetch our files', async () => {
  const shell = await ask('/shell.html')
  const { headers } = await ask('/home', page)
  for (const name of ['content-security-policy', 'permissions-policy', 'cross-origin-opener-policy'])
    expect([name, shell.headers[name]]).toEqual([name, headers[name]])
  const worker = await ask('/sw.js')
  expect(worker.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
    'content-type': expect.stringContaining('javascript'),
  })
})

test('serves a new build to the next request', async () => {
  expect((await ask('/home', page)).body).toContain('Keyturn')
  write('index.html', '<!doctype html><title>Second</title>')
  write('assets/app-2.js', 'export {}')
  expect((await ask('/home', page)).body).toContain('Second')
  expect((await ask('/assets/app-2.js')).statusCode).toBe(200)
  rmSync(new URL('index.html', folder))
  expect((await ask('/home', page)).statusCode).toBe(404)
})

async function served() {
  const server = fastify({ logger: false })
  server.setErrorHandler(createErrorHandler())
  setHeaders(server, false)
  await servePages(server, folder, [])
  return server
}
