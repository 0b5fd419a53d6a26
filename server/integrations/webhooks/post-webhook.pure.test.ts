import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../../tests/support/dealers/webhook-receiver.ts'
import { postWebhook } from './post-webhook.ts'
import { isPublicAddress } from './public-address.ts'

const message = { headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}' }
const inside = { allowPrivate: true }

test('delivers the payload byte for byte', async () => {
  const receiver = await startWebhookReceiver()
  expect(await postWebhook(receiver.url, message, inside)).toMatchObject({ status: 204, because: null })
  expect(receiver.received).toMatchObject([{ id: 'msg_1', body: '{"a":1}' }])
})

// R-deals-74
describe('reports how a receiver misbehaves', () => {
  test('does not follow a redirect', async () => {
    const other = await startWebhookReceiver()
    const receiver = await startWebhookReceiver((response) =>
      response.writeHead(307, { location: other.url }).end(),
    )
    expect(await postWebhook(receiver.url, message, inside)).toMatchObject({
      status: 307,
      because: 'redirects',
    })
    expect(other.received).toEqual([])
  })

  test.each<[string, (response: ServerResponse) => unknown, object]>([
    [
      'responds with a 500',
      (response) => response.writeHead(500).end('no'),
      { status: 500, because: 'answered' },
    ],
    [
      'closes the connection',
      (response) => response.destroy(),
      { status: null, because: 'closed the connection' },
    ],
    ['hangs', () => {}, { status: null, because: 'too slow' }],
    [
      'sends too large a response',
      (response) => response.writeHead(200).end('x'.repeat(100_000)),
      { because: 'answers too much' },
    ],
  ])('reports a receiver that %s', async (_, answer, told) => {
    const receiver = await startWebhookReceiver(answer)
    expect(await postWebhook(receiver.url, message, { ...inside, limitMs: 1000 })).toMatchObject(told)
  })

  test('gives up a response that arrives byte by byte forever', async () => {
    const receiver = await startWebhookReceiver((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const sent = await postWebhook(receiver.url, message, { ...inside, limitMs: 400 })
    expect(sent).toMatchObject({ status: 200, because: 'too slow' })
    expect(sent.ms).toBeLessThan(5000)
  })

  test('reports a receiver that is unreachable', async () => {
    const receiver = await startWebhookReceiver(undefined, { stays: true })
    await receiver.close()
    expect(await postWebhook(receiver.url, message, inside)).toMatchObject({ because: 'nobody listens' })
  })

  test('reports a host name that does not exist', async () => {
    const resolve = async () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }))
    const sent = await postWebhook('https://nobody.example/', message, { allowPrivate: false, resolve })
    expect(sent).toMatchObject({ status: null, because: 'no such host' })
  })

  test('gives up a DNS lookup that never ends', async () => {
    const resolve = () => new Promise<never>(() => {})
    const sent = await postWebhook('https://slow.example/', message, { ...inside, resolve, limitMs: 200 })
    expect(sent).toMatchObject({ status: null, because: 'too slow' })
  })
})

// R-deals-74
describe('does not connect to a private network', () => {
  const outside = { allowPrivate: false, limitMs: 3000 }

  test('rejects http', async () => {
    const receiver = await startWebhookReceiver()
    expect(await postWebhook(receiver.url, message, outside)).toMatchObject({ because: 'not https' })
    expect(receiver.received).toEqual([])
  })

  test.each([
    'https://127.0.0.1:1/',
    'https://[::1]:1/',
    'https://0x7f.1:1/',
    'https://[::ffff:10.0.0.1]:1/',
    'https://169.254.169.254/',
  ])('rejects a private address: %s', async (url) =>
    expect(await postWebhook(url, message, outside)).toMatchObject({ because: 'private address' }),
  )

  test('rejects a name that has a private address among public ones', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    const sent = await postWebhook('https://dealer.example/', message, { ...outside, resolve })
    expect(sent).toMatchObject({ status: null, because: 'private address' })
  })

  test('looks the name up only once, so that a second answer cannot change the address', async () => {
    const first = await startWebhookReceiver()
    const second = await startWebhookReceiver(undefined, { host: '127.0.0.2', port: first.port })
    let looks = 0
    const resolve = async () => [{ address: ++looks === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
    const sent = await postWebhook(`http://dealer.example:${first.port}/`, message, { ...inside, resolve })
    expect(sent).toMatchObject({ status: 204 })
    expect([looks, first.received.length, second.received.length]).toEqual([1, 1, 0])
    expect(first.received[0]?.headers.host).toBe(`dealer.example:${first.port}`)
  })

  const ofOurs = `
    0.0.0.0 10.1.2.3 100.64.0.1 127.9.9.9 169.254.1.1 172.31.255.255 192.0.0.8 192.168.1.1
    192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
    :: ::1 ::ffff:8.8.8.8 64:ff9b::a00:1 fc00::1 fe80::1 ff02::1 2001::1 2002:a00:1:: 2001:db8::1`
  test.each(ofOurs.trim().split(/\s+/))('%s is not a public address', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  )

  test.each(['8.8.8.8', '172.32.0.1', '192.167.255.255', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s is a public address',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
})
