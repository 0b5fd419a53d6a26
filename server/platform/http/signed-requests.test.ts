import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { answerDeal } from '@keyturn/contract/dealers/dealer-api.ts'
import { deliverToDesk } from '@keyturn/contract/dealers/dealer-desk.ts'
import { completeDeal } from '@keyturn/contract/deals/endpoints.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import { createDealerKey, signDealerRequest } from '../../../tests/support/dealers/dealer-client.ts'
import { enableDesk } from '../../../tests/support/dealers/enable-desk.ts'
import { newAddressHeaders } from '../../../tests/support/http/visitors.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { endpointLimits } from '../rate-limits/endpoint-limits.ts'

// Signed requests over real HTTP: checks before the body is read and before it is parsed
// (R-deals-75, R-deals-77).

const key = createDealerKey()
const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY_HOPS: '1', DEALER_WEBHOOK_SECRET: key })
const desk = enableDesk(server)
const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })

const pkgId = 'e'.repeat(24)
const pathOf = (call: Endpoint) => call.path.replace(':pkgId', pkgId)
/** `believed`: the error for an invalid body with a valid signature. */
const calls = [
  { call: answerDeal, key, cap: 64 * 1024, believed: [404, 'NotFound'] },
  { call: completeDeal, key, cap: 64 * 1024, believed: [404, 'NotFound'] },
  { call: deliverToDesk, key: desk.key, cap: 512 * 1024, believed: [400, 'BadRequest'] },
]

/** A new address each time, because limits count per address. The desk rejects forwarded addresses. */
const from = (call: Endpoint) => (call === deliverToDesk ? {} : newAddressHeaders())

type Headers = Record<string, string | number>
async function send(call: Endpoint, headers: Headers, feed: (sending: ClientRequest) => unknown) {
  const sending = request(`${origin}${pathOf(call)}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  })
  // The connection may be closed after the response.
  sending.on('error', () => {})
  const answer = once(sending, 'response')
  feed(sending)
  const [response] = (await answer) as [IncomingMessage]
  const { errorCode } = JSON.parse(await text(response))
  sending.destroy()
  return [response.statusCode, errorCode]
}

/** Signature headers with a signature of `signedBody`, regardless of the body that is sent. */
const signed = (call: Endpoint, by: string, signedBody: string) =>
  signDealerRequest(call, { params: { pkgId } }, by, { signedBody })
const wellFormed = () => signed(answerDeal, createDealerKey(), '')
/** Sends the headers only; a server that reads the body would wait forever. */
const headersOnly = (sending: ClientRequest) => sending.flushHeaders()

// R-deals-77
describe('the desk', () => {
  const body = { type: 'test', timestamp: new Date().toISOString(), data: { dealer: 'AutoNation' } }
  const deliver = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    server.app.inject({
      method: 'POST',
      url: deliverToDesk.path,
      payload: body,
      remoteAddress,
      headers: { ...signDealerRequest(deliverToDesk, { body }, desk.key), ...headers },
    })
  test.each([
    ['another address', {}, '203.0.113.7'],
    ['another IPv6 address', {}, '2001:db8::7'],
    ['a local proxy that forwards a remote address', { 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1'],
    ['a local proxy that forwards a local address', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1'],
    ['one that uses the standard header', { forwarded: 'for=203.0.113.7' }, '::1'],
    ['one that only names itself', { via: '1.1 proxy' }, '127.0.0.1'],
  ])('does not exist for %s, whatever the signature', async (_, headers, remoteAddress) => {
    const answer = await deliver(headers as Record<string, string>, remoteAddress)
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'NotFound'])
  })

  test('exists for this machine, through IPv4, IPv6 and both', async () => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
      expect([address, (await deliver({}, address)).statusCode]).toEqual([address, 200])
  })

  test('does not exist when it is turned off', async () => {
    server.deps.desk = undefined
    const answer = await deliver()
    server.deps.desk = desk
    expect([answer.statusCode, answer.json().errorCode]).toEqual([404, 'NotFound'])
  })
})

describe.each(calls)('$call.name', ({ call, key, cap, believed }) => {
  const isOpen = call === completeDeal
  test('rejects unsigned requests and malformed headers before reading the body', async () => {
    const length = { 'content-length': 50 }
    const feed = isOpen ? (one: ClientRequest) => one.end('x'.repeat(50)) : headersOnly
    const unsigned = await send(call, { ...from(call), ...length }, feed)
    expect(unsigned).toEqual([401, isOpen ? 'InvalidAdminAccessToken' : 'InvalidSignature'])
    for (const wrong of [
      { 'webhook-id': 'a.b' },
      { 'webhook-timestamp': 'now' },
      { 'webhook-signature': 'v1,short' },
      { 'webhook-signature': `v2,${'A'.repeat(43)}=` },
    ]) {
      const headers = { ...from(call), ...wellFormed(), ...wrong, ...length }
      expect(await send(call, headers, headersOnly)).toEqual([401, 'InvalidSignature'])
    }
  })

  test('rejects an oversized body before reading it when its length is declared, and otherwise at the limit', async () => {
    const said = await send(call, { ...from(call), ...wellFormed(), 'content-length': cap + 1 }, headersOnly)
    expect(said).toEqual([413, 'PayloadTooLarge'])
    const endless = await send(call, { ...from(call), ...wellFormed() }, (sending) => {
      for (let sent = 0; sent <= cap; sent += 1024) sending.write('x'.repeat(1024))
    })
    expect(endless).toEqual([413, 'PayloadTooLarge'])
  })

  test('rejects an invalid signature before parsing the body', async () => {
    const garbage = '{"a":'
    const end = (sending: ClientRequest) => sending.end(garbage)
    expect(await send(call, { ...from(call), ...wellFormed() }, end)).toEqual([401, 'InvalidSignature'])
    expect(await send(call, { ...from(call), ...signed(call, key, garbage) }, end)).toEqual(believed)
  })

  test('checks the rate limit of the address first', async () => {
    const [limit] = endpointLimits[call.name] ?? []
    const address = from(call)
    const once = () =>
      send(call, { ...address, ...wellFormed(), 'webhook-id': 'a.b', 'content-length': 50 }, headersOnly)
    let answer = await once()
    for (let i = 0; i < (limit?.max ?? 0) && answer[0] !== 429; i++) answer = await once()
    expect(answer).toEqual([429, 'TooManyRequests'])
  })
})
