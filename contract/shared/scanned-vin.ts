import { hasValidCheckDigit, isVinShape, normalizeVin } from './vin.ts'

/** Result of reading the codes in one picture of a car's label. */
export type ScanResult =
  | { kind: 'vin'; vin: string }
  | { kind: 'several' | 'unconfirmed' | 'other' | 'nothing' }

/**
 * Finds the car's VIN among the codes in a picture (R-cars-22). Labels also have other codes, and
 * bar codes are easily misread, so the check digit must be right.
 */
export function findScannedVin(codes: readonly string[]): ScanResult {
  const shaped = [...new Set(codes.flatMap(wordsOf))].filter((word) => word.length === 17 && isVinShape(word))
  const [vin, another] = shaped.filter(hasValidCheckDigit)
  if (vin !== undefined) return another === undefined ? { kind: 'vin', vin } : { kind: 'several' }
  if (shaped.length > 0) return { kind: 'unconfirmed' }
  return { kind: codes.length > 0 ? 'other' : 'nothing' }
}

/**
 * Returns the whole code without spaces, and its words: a QR code may be a URL or a list with the
 * VIN.
 */
const wordsOf = (code: string): string[] =>
  [code, ...code.toUpperCase().split(/[^A-Z0-9]+/u)].map(normalizeVin)
