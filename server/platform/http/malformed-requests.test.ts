import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { cookieHeader } from '../../../tests/support/http/visitors.ts'
import { aSeller } from '../../../tests/support/people.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { bodyLimit } from './request-body.ts'

const server = await startTestServer()
await server.app.listen({ port: 0, host: '127.0.0.1' })
const address = server.app.server.address()
const port = typeof address === 'object' && address ? address.port : 0
const seller = await aSeller(server)
const cookie = cookieHeader(seller)

afterAll(async () => {
  const { status } = await fetch(`http://127.0.0.1:${port}/health/ready`)
  expect(status).toBe(200)
})

const json = 'content-type: application/json'
const padding = 'x'.repeat(bodyLimit)

// request-body.pure.test.ts covers the JSON parser (R-everywhere-11).
describe('rejects an invalid body', () => {
  test.each<[what: string, body: string | Buffer, type: string, status: number, code: string]>([
    ['a body of the maximum size', `{"email":"${padding.slice(12)}"}`, json, 400, 'ValidationError'],
    ['one byte more than the maximum', `"${padding.slice(1)}"`, json, 413, 'PayloadTooLarge'],
    ['no content type', '{}', 'x-a: b', 415, 'UnsupportedMediaType'],
    ['plain text', '{}', 'content-type: text/plain', 415, 'UnsupportedMediaType'],
    ['a form', 'a=b', 'content-type: application/x-www-form-urlencoded', 415, 'UnsupportedMediaType'],
    ['another kind of JSON', '{}', 'content-type: application/ld+json', 415, 'UnsupportedMediaType'],
    ['a compressed body', gzipSync('{}'), `${json}\r\ncontent-encoding: gzip`, 400, 'BadRequest'],
    ['deep nesting', '['.repeat(10_000) + ']'.repeat(10_000), json, 400, 'BadRequest'],
    ['truncated JSON', '{"email":', json, 400, 'BadRequest'],
    ['two JSON values', '{} {}', json, 400, 'BadRequest'],
    ['a list', '[]', json, 400, 'ValidationError'],
    ['nothing', '', json, 400, 'ValidationError'],
  ])('%s', async (_, body, type, status, code) => {
    const start = head('POST /auth/login', type, `content-length: ${Buffer.byteLength(body)}`)
    const answer = await send(Buffer.concat([start, Buffer.from(body)]))
    expect([answer.status, answer.code]).toEqual([status, code])
  })

  test('stops reading an endless body at the limit', async () => {
    const piece = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const start = head('POST /auth/login', json, 'transfer-encoding: chunked')
    const answer = await send(Buffer.concat([start, Buffer.from(piece.repeat(20))]))
    expect([answer.status, answer.code]).toEqual([413, 'PayloadTooLarge'])
  })
})

describe('returns a regular response or an error for an unusual URL', () => {
  test.each<[path: string, statuses: number[]]>([
    ['//evil.example/user', [404]],
    ['/\\evil.example', [404]],
    ['/%ff', [400]],
    ['/%2e%2e/%2e%2e/etc/passwd', [404]],
    ['*', [404]],
    ['http://evil.example/user', [200]],
    ['http://', [400]],
    ['/cars/%00', [400, 401]],
    [`/auth/email/verify/${'x'.repeat(250)}`, [400]],
    [`/auth/email/verify/${'x'.repeat(301)}`, [414]],
    [`/${'a'.repeat(10_000)}`, [404, 414]],
    [`/user?${'a'.repeat(10_000)}`, [200]],
    [`/${'a'.repeat(20_000)}`, [431]],
    ['/user?__proto__=1&__proto__[x]=1&constructor=1', [200]],
    ['/trades?limit[]=1&limit[$gt]=1', [403]],
    ['/ä', [400]],
    ['', [400]],
  ])('%s', async (path, statuses) => {
    const answer = await send(head(`GET ${path}`))
    expect(statuses).toContain(answer.status)
    if (answer.status >= 400) expect(answer.code).toMatch(/^[A-Z]\w+$/)
  })
})

// R-safe-20
describe('rejects or ignores malformed HTTP', () => {
  test.each<[what: string, bytes: string | Buffer, statuses: number[]]>([
    ['TLS', Buffer.from('16030100f0010000ec0303', 'hex'), [400, 0]],
    [
      'two lengths',
      'POST /auth/login HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    ['no host', 'GET /user HTTP/1.1\r\n\r\n', [400]],
    ['an old version', 'GET /user HTTP/1.0\r\n\r\n', [401]],
    ['an unknown method', 'EVIL /user HTTP/1.1\r\nhost: a\r\n\r\n', [400]],
    ['a WebDAV method', 'PROPFIND /user HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', [405]],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nhost: a\r\n\r\n', [0, 400, 404, 405]],
    ['a header without end', `GET /user HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
    [
      'a header of two lines',
      'GET /user HTTP/1.1\r\nhost: a\r\nx-a: b\r\n c\r\nconnection: close\r\n\r\n',
      [400, 401],
    ],
    [
      'malformed cookies',
      `GET /user HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncookie: at=${'a'.repeat(43)}; at=; =; ;;rt; kd=..\r\n\r\n`,
      [401],
    ],
    [
      'a malformed X-Forwarded-For',
      'GET /user HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: ;;,\r\n\r\n',
      [401],
    ],
  ])('%s', async (_, bytes, statuses) => {
    const answer = await send(Buffer.from(bytes))
    expect(statuses).toContain(answer.status)
  })
})

/** A request line and headers with a session, so that authorization succeeds. */
const head = (line: string, ...headers: string[]): Buffer =>
  Buffer.from(
    `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncookie: ${cookie}\r\n${headers
      .map((header) => `${header}\r\n`)
      .join('')}\r\n`,
  )

type Answer = { status: number; code: string | undefined }

/** Sends raw bytes. A status of 0 means that the connection was closed without a response. */
function send(bytes: Buffer): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const tooLate = setTimeout(() => socket.destroy(), 5000)
    let answer = ''
    socket.setEncoding('latin1').on('data', (piece) => {
      answer += piece
    })
    // The server may stop reading early.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(tooLate)
      expect(answer).not.toMatch(/node_modules|at .*\.ts:|select |insert /)
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
        code: /"errorCode":"(\w+)"/.exec(answer)?.[1],
      })
    })
    socket.write(bytes)
  })
}
