import { describe, expect, test } from 'vitest'
import { readCms } from './cms.ts'
import { derTags, writeDer } from './der.ts'

// A signature's CMS envelope, built by hand so that tests can change or omit each part.

const { sequence, set, own: field, octets, oid, utcTime } = derTags
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
const ofDigest = '2a864886f70d010904'
const digestIs = attribute(ofDigest, writeDer(octets, digest))
const signedAt = attribute('2a864886f70d010905', writeDer(utcTime, Buffer.from('261122103045Z')))

const version = number(1)
const whose = seq(issuer, number(9))
const attributes = (...each: Uint8Array[]) => writeDer(field, ...each)
const signature = writeDer(octets, hex('cd'.repeat(256)))
const signerOf = (...signed: Uint8Array[]) => [version, whose, sha256, attributes(...signed), rsa, signature]

type Parts = { of: string; certificates: Uint8Array[]; signer: Uint8Array[]; data: Uint8Array[] }
const whole = {
  of: '2a864886f70d010702',
  certificates: [certificate],
  signer: signerOf(kind, signedAt, digestIs),
  data: [version, writeDer(set, sha256), seq(named('2a864886f70d010701'))],
}
function aSignature(change: Partial<Parts> = {}): Uint8Array {
  const { of, certificates, signer, data } = { ...whole, ...change }
  const content = seq(...data, writeDer(field, ...certificates), writeDer(set, seq(...signer)))
  return seq(named(of), writeDer(field, content))
}
const without = (parts: Uint8Array[], place: number) => parts.toSpliced(place, 1)

test('reads signer, digest and time from a signature of one signer', () => {
  expect(readCms(aSignature())).toEqual({
    certificate,
    publicKey,
    messageDigest: digest,
    signedAt: '2026-11-22T10:30:45Z',
    signedAttributes: writeDer(set, kind, signedAt, digestIs),
    signature: hex('cd'.repeat(256)),
  })
})

test('accepts a signature without a signing time', () => {
  expect(readCms(aSignature({ signer: signerOf(kind, digestIs) }))).toMatchObject({ signedAt: null })
})

describe('of several certificates the one that is named by issuer and serial number is the signer’s', () => {
  const others = [aCertificate({ of: seq(words('Another')) }), aCertificate({ serial: number(8) })]
  const first = aCertificate({ version: [] })
  test.each([
    ['the last', [...others, certificate], certificate],
    ['the first', [certificate, ...others], certificate],
    ['one of the first version', [...others, first], first],
    ['none', others, null],
    ['none where there are none', [], null],
    ['none where something else stands', [words('A certificate'), seq(), seq(seq())], null],
    ['none where it has no key', [seq(seq(number(9), sha256, issuer, seq(), seq()))], null],
  ])('%s', (_, certificates, expected) => {
    expect(readCms(aSignature({ certificates }))?.certificate ?? null).toEqual(expected)
  })
})

// R-deals-70
describe('returns null', () => {
  const { signer, data } = whole
  const good = aSignature()
  test.each<[string, Uint8Array]>([
    ['nothing', hex('')],
    ['something that is no DER', Buffer.from('%PDF-1.7')],
    ['one that ends too early', good.subarray(0, -1)],
    ['one with something behind it', Buffer.concat([good, hex('00')])],
    ['one without contents', seq(named(whole.of))],
    ['contents without parts', seq(named(whole.of), writeDer(field, seq()))],
    ['one of something else', aSignature({ of: '2a864886f70d010703' })],
    ...signer.map((_, place): [string, Uint8Array] => [
      `a signer without part ${place}`,
      aSignature({ signer: without(signer, place) }),
    ]),
    ['a signer with more', aSignature({ signer: [...signer, nothing] })],
    ...data.map((_, place): [string, Uint8Array] => [
      `one without part ${place}`,
      aSignature({ data: without(data, place) }),
    ]),
    ['one with contents of its own', aSignature({ data: [...data.slice(0, 2), seq(words('contents'))] })],
    [
      'one without certificates',
      seq(named(whole.of), writeDer(field, seq(...data, writeDer(set, seq(...signer))))),
    ],
    ['one of no signer', aSignature({ signer: [] })],
    ['a weaker digest', aSignature({ signer: signer.with(2, seq(named('2b0e03021a'), nothing)) })],
    ['another way of signing', aSignature({ signer: signer.with(4, seq(named('2a864886f70d01010a'))) })],
    ['no attributes', aSignature({ signer: signerOf() })],
    ['no digest', aSignature({ signer: signerOf(kind, signedAt) })],
    ['two digests', aSignature({ signer: signerOf(kind, digestIs, digestIs) })],
    [
      'a digest of two values',
      aSignature({
        signer: signerOf(attribute(ofDigest, writeDer(octets, digest), writeDer(octets, digest))),
      }),
    ],
    ['a digest of no value', aSignature({ signer: signerOf(attribute(ofDigest)) })],
    ['a digest that stands nowhere', aSignature({ signer: signerOf(seq(named(ofDigest))) })],
    ['attributes that are none', aSignature({ signer: signerOf(seq(), words('digest')) })],
  ])('not %s', (_, bytes) => {
    expect(readCms(bytes)).toBeNull()
  })

  test('returns null when a byte of the envelope has changed', () => {
    const read = readCms(good)
    for (const place of good.keys()) {
      const changed = good.map((byte, at) => (at === place ? byte ^ 1 : byte))
      expect(readCms(changed), `byte ${place}`).not.toEqual(read)
    }
    expect(read).not.toBeNull()
  })
})
