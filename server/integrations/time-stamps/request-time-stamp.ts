import { randomBytes } from 'node:crypto'
import { webCryptography } from '@keyturn/contract/shared/crypto/cryptography.ts'
import {
  derTags,
  emptyDer,
  readDer,
  readDerChildren,
  writeDer,
  writeOid,
} from '@keyturn/contract/shared/crypto/der.ts'
import { readTimeStamp } from '@keyturn/contract/shared/crypto/time-stamp.ts'
import { readAtMost } from '../../shared/read-at-most.ts'

/** In ms, for the whole answer. */
const timeoutMs = 8000
/** In bytes; an answer has a few thousand. */
const maxResponseBytes = 64 * 1024
/** In ms: an authority whose clock differs more from ours is not believed. */
const maxClockDifferenceMs = 24 * 3_600_000

/**
 * Requests a time stamp over these bytes (RFC 3161) and returns its token. Throws unless the answer
 * is for this request and valid.
 */
export async function requestTimeStamp(authority: URL, stamped: Uint8Array): Promise<Uint8Array> {
  const nonce = Uint8Array.of(1, ...randomBytes(15))
  const digest = await webCryptography.digest('SHA-256', stamped)
  const { url, headers } = withLoginAsHeader(authority)
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/timestamp-query',
      accept: 'application/timestamp-reply',
    },
    body: writeRequest(digest, nonce),
    // No redirects: the authority must not decide which other addresses this server calls.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) throw new Error(`The time stamp authority answered ${response.status}`)
  const token = tokenIn(await readAtMost(response, maxResponseBytes))
  const stamp = await readTimeStamp(token, stamped, webCryptography)
  if (!stamp?.nonce || Buffer.compare(stamp.nonce, nonce) !== 0)
    throw new Error('The time stamp is not for this request')
  if (stamp.valid === null) throw new Error('The time stamp is signed with an unsupported algorithm')
  if (!stamp.valid) throw new Error('The time stamp or its certificate is invalid')
  if (!(Math.abs(Date.now() - Date.parse(stamp.at ?? '')) <= maxClockDifferenceMs))
    throw new Error(`The clock of the time stamp authority says ${stamp.at}`)
  return token
}

/** `fetch` rejects a URL with a login, in an error whose message contains it. */
function withLoginAsHeader(authority: URL): { url: URL; headers: Record<string, string> } {
  const { username, password } = authority
  if (username === '' && password === '') return { url: authority, headers: {} }
  const url = Object.assign(new URL(authority), { username: '', password: '' })
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url, headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }
}

const { sequence, octets } = derTags
const integer = (...bytes: number[]) => writeDer(derTags.integer, Uint8Array.from(bytes))
const sha256 = writeDer(sequence, writeOid('2.16.840.1.101.3.4.2.1'), writeDer(derTags.nothing))
const withCertificates = writeDer(derTags.boolean, Uint8Array.of(0xff))

const writeRequest = (digest: Uint8Array, nonce: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    writeDer(
      sequence,
      integer(1),
      writeDer(sequence, sha256, writeDer(octets, digest)),
      integer(...nonce),
      withCertificates,
    ),
  )

/** Statuses 0 and 1 are "granted" and "granted with modifications". */
function tokenIn(answer: Uint8Array): Uint8Array {
  const [info = emptyDer, token] = readDerChildren(readDer(answer) ?? emptyDer)
  const [status = Number.NaN] = readDerChildren(info)[0]?.inside ?? []
  if (Number.isNaN(status)) throw new Error('The time stamp authority sent no time stamp')
  if (status > 1 || !token) throw new Error(`The time stamp authority refused, with status ${status}`)
  return token.whole
}
