import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PushMessage, Subscription } from '@keyturn/contract/notifications/push.ts'
import { onTestFinished } from 'vitest'

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer }
type Respond = (response: ServerResponse, one: Received, count: number) => unknown
/** A notification that the browser showed, with the headers that the push service received. */
type Shown = { message: PushMessage; topic: string; ttl: number; subject: string }
export type PushService = {
  origin: string
  /** Every complete request, whatever its response was. */
  received: Received[]
  /** Subscribes a browser with this server's key. */
  subscribe(key: string): TestSubscription
  close(): Promise<void>
}
export type TestSubscription = Subscription & { shown(): Shown[] }

const accept: Respond = (response) => response.writeHead(201).end()

/** Starts a push service with browsers that decrypt its messages. */
export async function startPushService(
  respond: Respond = accept,
  { stays = false } = {},
): Promise<PushService> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) }
    received.push(one)
    await respond(response, one, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  if (!stays) onTestFinished(close)
  return {
    origin,
    received,
    close,
    subscribe(key) {
      const path = `/push/${randomBytes(16).toString('base64url')}`
      const keys = createECDH('prime256v1')
      const p256dh = keys.generateKeys('base64url')
      const auth = randomBytes(16)
      const messages = () => received.filter((one) => one.path === path)
      return {
        endpoint: `${origin}${path}`,
        keys: { p256dh, auth: auth.toString('base64url') },
        shown: () => messages().map((one) => read(one, { origin, key, keys, auth })),
      }
    },
  }
}

type Secrets = { origin: string; key: string; keys: ECDH; auth: Buffer }

function read({ headers, body }: Received, secrets: Secrets): Shown {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted as RFC 8188 says')
  const { sub } = readVapid(String(headers.authorization), secrets)
  return {
    message: JSON.parse(decrypt(body, secrets).toString('utf8')),
    topic: String(headers.topic),
    ttl: Number(headers.ttl),
    subject: sub,
  }
}

/** Decrypts per RFC 8291 the single RFC 8188 record that a push may have. */
function decrypt(body: Buffer, { keys, auth }: Secrets): Buffer {
  const [salt, size, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  if (sealed.length > size) throw new Error('more than one record')
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const shared = derive(keys.computeSecret(sender), auth, info, 32)
  const key = derive(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end < 0) throw new Error('no last record')
  return plain.subarray(0, end)
}

/** Verifies VAPID (RFC 8292): the subscribed key, this audience, and at most a day of validity. */
function readVapid(authorization: string, { origin, key }: Secrets): { sub: string } {
  const [, token = '', named] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  if (named !== key) throw new Error('another key than the browser subscribed with')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isValid) throw new Error('not signed with that key')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  const secondsLeft = exp - Date.now() / 1000
  if (aud !== origin || secondsLeft <= 0 || secondsLeft > 86_400)
    throw new Error('for another service, or for another time')
  return { sub }
}
