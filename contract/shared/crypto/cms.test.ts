import { describe, expect, test } from 'vitest'
import { readCms, withTimeStamp } from './cms.ts'
import { derTags, writeDer } from './der.ts'

// A signature's CMS envelope, built by hand so that tests can change or omit each part.

const { sequence, set, context0: field, octets, oid, utcTime } = derTags
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const seq = (...parts: Uint8Array[]) => writeDer(sequence, ...parts)
const number = (...bytes: number[]) => writeDer(0x02, Uint8Array.from(bytes))
const words = (text: string) => writeDer(0x0c, Buffer.from(text))
const named = (dotted: string) => writeDer(oid, hex(dotted))

const nothing = hex('0500')
const sha256 = seq(named('608648016503040201'), nothing)
const rsa = seq(named('2a864886f70d010101'), nothing)
const issuer = seq(words('An authority'))
const publicKey = seq(words('A key'))

const aCertificate = ({ of = issuer, serial = number(9), version = [writeDer(field, number(2))] } = {}) =>
  seq(seq(...version, serial, sha256, of, seq(), seq(words('A signer')), publicKey), sha256, words('signed'))
const certificate = aCertificate()

const digest = hex('ab'.repeat(32))
const attribute = (name: string, ...values: Uint8Array[]) => seq(named(name), writeDer(set, ...values))
const kind = attribute('2a864886f70d010903', named('2a864886f70d010701'))
const digestOid = '2a864886f70d010904'
const digestIs = attribute(digestOid, writeDer(octets, digest))
const signedAt = attribute('2a864886f70d010905', writeDer(utcTime, Buffer.from('261122103045Z')))

const version = number(1)
const signerId = seq(issuer, number(9))
const attributes = (...each: Uint8Array[]) => writeDer(field, ...each)
const signature = writeDer(octets, hex('cd'.repeat(256)))
const signerOf = (...signed: Uint8Array[]) => [
  version,
  signerId,
  sha256,
  attributes(...signed),
  rsa,
  signature,
]

type Parts = { of: string; certificates: Uint8Array[]; signer: Uint8Array[]; data: Uint8Array[] }
const completeParts = {
  of: '2a864886f70d010702',
  certificates: [certificate],
  signer: signerOf(kind, signedAt, digestIs),
  data: [version, writeDer(set, sha256), seq(named('2a864886f70d010701'))],
}
function aSignature(change: Partial<Parts> = {}): Uint8Array {
  const { of, certificates, signer, data } = { ...completeParts, ...change }
  const content = seq(...data, writeDer(field, ...certificates), writeDer(set, seq(...signer)))
  return seq(named(of), writeDer(field, content))
}
const without = (parts: Uint8Array[], place: number) => parts.toSpliced(place, 1)

test('reads signer, digest and time from a signature of one signer', () => {
  expect(readCms(aSignature())).toEqual({
    certificate,
    publicKey,
    messageDigest: digest,
    contentType: '1.2.840.113549.1.7.1',
    signedAt: '2026-11-22T10:30:45Z',
    certificateHash: null,
    timeStamp: null,
    signedAttributes: writeDer(set, kind, signedAt, digestIs),
    signature: hex('cd'.repeat(256)),
  })
})

test('accepts a signature without a signing time', () => {
  expect(readCms(aSignature({ signer: signerOf(kind, digestIs) }))).toMatchObject({ signedAt: null })
})

const certificateIs = attribute(
  '2a864886f70d010910022f',
  seq(seq(seq(writeDer(octets, hex('ef'.repeat(32)))))),
)

test('reads the certificate that the signer names, and a time stamp', () => {
  const bare = aSignature({ signer: signerOf(kind, digestIs, certificateIs) })
  const stamped = withTimeStamp(bare, words('A time stamp')) ?? bare
  const read = { signedAt: null, certificateHash: hex('ef'.repeat(32)) }
  expect(readCms(bare)).toMatchObject({ ...read, timeStamp: null })
  expect(readCms(stamped)).toEqual({ ...readCms(bare), timeStamp: words('A time stamp') })
  expect(withTimeStamp(stamped, words('Another'))).toEqual(withTimeStamp(bare, words('Another')))
  expect(withTimeStamp(stamped.subarray(1), words('Another'))).toBeNull()
})

describe('selects the signer’s certificate by issuer and serial number', () => {
  const others = [aCertificate({ of: seq(words('Another')) }), aCertificate({ serial: number(8) })]
  const first = aCertificate({ version: [] })
  test.each([
    ['when it is the last', [...others, certificate], certificate],
    ['when it is the first', [certificate, ...others], certificate],
    ['when it has X.509 version 1', [...others, first], first],
    ['and returns null when none matches', others, null],
    ['and returns null without certificates', [], null],
    ['and returns null when none is a certificate', [words('A certificate'), seq(), seq(seq())], null],
    ['and returns null when it has no key', [seq(seq(number(9), sha256, issuer, seq(), seq()))], null],
  ])('%s', (_, certificates, expected) => {
    expect(readCms(aSignature({ certificates }))?.certificate ?? null).toEqual(expected)
  })
})

// R-deals-70
describe('returns null for', () => {
  const { signer, data } = completeParts
  const good = aSignature()
  test.each<[string, Uint8Array]>([
    ['no bytes', hex('')],
    ['bytes that are no DER', Buffer.from('%PDF-1.7')],
    ['a truncated signature', good.subarray(0, -1)],
    ['a signature with trailing bytes', Buffer.concat([good, hex('00')])],
    ['a signature without contents', seq(named(completeParts.of))],
    ['contents without parts', seq(named(completeParts.of), writeDer(field, seq()))],
    ['another content type', aSignature({ of: '2a864886f70d010703' })],
    ...signer.map((_, place): [string, Uint8Array] => [
      `a signer without part ${place}`,
      aSignature({ signer: without(signer, place) }),
    ]),
    ['a signer with an extra part', aSignature({ signer: [...signer, nothing] })],
    ...data.map((_, place): [string, Uint8Array] => [
      `a signature without part ${place}`,
      aSignature({ data: without(data, place) }),
    ]),
    [
      'a signature with embedded contents',
      aSignature({ data: [...data.slice(0, 2), seq(words('contents'))] }),
    ],
    [
      'a signature without certificates',
      seq(named(completeParts.of), writeDer(field, seq(...data, writeDer(set, seq(...signer))))),
    ],
    ['a signature without a signer', aSignature({ signer: [] })],
    ['an unknown unsigned attribute', aSignature({ signer: [...signer, writeDer(0xa1, kind)] })],
    ['a weaker digest', aSignature({ signer: signer.with(2, seq(named('2b0e03021a'), nothing)) })],
    ['another signature algorithm', aSignature({ signer: signer.with(4, seq(named('2a864886f70d01010a'))) })],
    ['a signer without attributes', aSignature({ signer: signerOf() })],
    ['attributes without a digest', aSignature({ signer: signerOf(kind, signedAt) })],
    ['two digests', aSignature({ signer: signerOf(kind, digestIs, digestIs) })],
    [
      'a digest of two values',
      aSignature({
        signer: signerOf(attribute(digestOid, writeDer(octets, digest), writeDer(octets, digest))),
      }),
    ],
    ['a digest of no value', aSignature({ signer: signerOf(attribute(digestOid)) })],
    ['a digest without a value set', aSignature({ signer: signerOf(seq(named(digestOid))) })],
    ['malformed attributes', aSignature({ signer: signerOf(seq(), words('digest')) })],
  ])('%s', (_, bytes) => {
    expect(readCms(bytes)).toBeNull()
  })

  test('a signature with a changed byte, unless other values are read from it', () => {
    const read = readCms(good)
    for (const place of good.keys()) {
      const changed = good.map((byte, at) => (at === place ? byte ^ 1 : byte))
      expect(readCms(changed), `byte ${place}`).not.toEqual(read)
    }
    expect(read).not.toBeNull()
  })
})
