import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findScannedVin, type ScanResult } from './scanned-vin.ts'

const accord = '1HGCM82633A004352'
const civic = '2HGFC2F75JH541190'
const found: ScanResult = { kind: 'vin', vin: accord }

// R-cars-22
describe('finds the VIN among the codes of a picture', () => {
  test.each([
    ['as the code itself', [accord]],
    ['in Code 39 with the I of an imported car', [`I${accord}`]],
    ['with a separate I', [`I ${accord}`]],
    ['with spaces', ['1HG CM8263 3A004352 ']],
    ['in lowercase', [accord.toLowerCase()]],
    ['with the asterisks of Code 39', [`*${accord}*`]],
    ['in a URL', [`https://example.com/label?vin=${accord}&plant=7`]],
    ['in a list', [`MDL:ACCORD;VIN:${accord};CLR:NH623`]],
    ['beside other codes', ['4006381333931', accord, 'TIRE 205/65R15']],
    ['twice', [accord, `I${accord}`]],
    ['beside one with a wrong check digit', ['1HGCM82643A004352', accord]],
  ])('%s', (_, codes) => {
    expect(findScannedVin(codes)).toEqual(found)
  })

  test.each<[ScanResult['kind'], string[]]>([
    ['nothing', []],
    ['other', ['4006381333931']],
    ['other', ['']],
    ['other', [`${accord}7`]],
    ['other', [`7${accord}`]],
    ['other', ['I'.repeat(18)]],
    ['other', ['12345678901']],
    ['unconfirmed', ['1HGCM82643A004352']],
    ['unconfirmed', ['I1HGCM82643A004352', '4006381333931']],
    ['several', [accord, civic]],
  ])('or reports %s: %j', (kind, codes) => {
    expect(findScannedVin(codes)).toEqual({ kind })
  })

  test('only when it has seventeen characters, whatever else the code contains', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 4 }), (codes) => {
        const scanned = findScannedVin(codes)
        if (scanned.kind === 'vin') expect(scanned.vin).toMatch(/^[A-HJ-NPR-Z0-9]{17}$/)
      }),
    )
  })
})
