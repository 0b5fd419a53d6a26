import { describe, expect, test } from 'vitest'
import { derTags, emptyDer, readDer, readDerChildren, readDerTime, readOid, writeDer } from './der.ts'

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const octets = (length: number) => new Uint8Array(length).fill(7)

describe('a DER value', () => {
  test.each([0, 1, 127, 128, 255, 256, 65_535, 65_536])(
    'of %d bytes is decoded to what was encoded',
    (length) => {
      const whole = writeDer(derTags.octets, octets(length))
      expect(readDer(whole)).toEqual({ tag: derTags.octets, inside: octets(length), whole })
      expect(readDer(Uint8Array.from([...whole, 7, 7, 7]))?.whole).toEqual(whole)
      expect(readDer(whole.subarray(0, -1))).toBeNull()
    },
  )

  test.each([
    ['one byte of length', 127, '047f'],
    ['one more', 128, '048180'],
    ['two more', 256, '04820100'],
  ])('has the shortest encoding of its length: %s', (_, length, head) => {
    const written = writeDer(derTags.octets, octets(length))
    expect(Buffer.from(written.subarray(0, head.length / 2)).toString('hex')).toBe(head)
  })

  test('may encode its length in four bytes', () => {
    expect(readDer(bytesOf('0484000000010a'))?.inside).toEqual(bytesOf('0a'))
  })

  test.each([
    ['no bytes', ''],
    ['a tag alone', '04'],
    ['a tag of several bytes', '1f0101'],
    ['a constructed tag of several bytes', '3f0101'],
    ['an indefinite length', `0480${'07'.repeat(200)}`],
    ['a length of five bytes', '04850000000001070707'],
    ['a truncated length', '048201'],
    ['less than the declared length', '040207'],
  ])('is not decoded from %s', (_, hex) => {
    expect(readDer(bytesOf(hex))).toBeNull()
  })
})

test('decodes the parts of a value in order, or none when one is invalid', () => {
  const one = writeDer(derTags.octets, octets(2))
  const other = writeDer(derTags.set)
  const partsIn = (...inside: Uint8Array[]) =>
    readDerChildren(readDer(writeDer(derTags.sequence, ...inside)) ?? emptyDer).map(({ whole }) => whole)
  expect(partsIn()).toEqual([])
  expect(partsIn(one, other, one)).toEqual([one, other, one])
  expect(partsIn(one, one.subarray(0, -1))).toEqual([])
})

test.each([
  ['2a864886f70d010904', '1.2.840.113549.1.9.4'],
  ['550403', '2.5.4.3'],
  ['883703', '2.999.3'],
])('formats the object identifier %s as %s', (hex, dotted) => {
  expect(readOid({ ...emptyDer, inside: bytesOf(hex) })).toBe(dotted)
})

const { utcTime, time } = derTags
test.each([
  [utcTime, '261122103045Z', '2026-11-22T10:30:45Z'],
  [utcTime, '491231235959Z', '2049-12-31T23:59:59Z'],
  [utcTime, '500101000000Z', '1950-01-01T00:00:00Z'],
  [time, '20261122103045Z', '2026-11-22T10:30:45Z'],
  [time, '20491122103045Z', '2049-11-22T10:30:45Z'],
  [time, '261122103045Z', null],
  [utcTime, '20261122103045Z', null],
  [derTags.octets, '261122103045Z', null],
  [utcTime, '261122103045', null],
  [time, '20261122103045.5Z', null],
  [time, 'yesterday', null],
  [time, '', null],
])('reads a time with tag %d and text %j as %s', (tag, text, moment) => {
  expect(readDerTime({ ...emptyDer, tag, inside: Buffer.from(text) })).toBe(moment)
})
