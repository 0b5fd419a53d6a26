import { hasRightCheckDigit, isVinShape, normalizeVin } from './vin.ts'

/** What the codes in one picture of a car's label say. */
export type Scanned = { kind: 'vin'; vin: string } | { kind: 'several' | 'unconfirmed' | 'other' | 'nothing' }

/**
 * Which of the codes in a picture is the car's VIN (R-cars-22). Labels carry other codes, too, and a bar code is misread
 * more easily than a typed VIN, so only one whose check digit is right counts.
 */
export function scannedVin(codes: readonly string[]): Scanned {
  const shaped = [...new Set(codes.flatMap(wordsOf))].filter((word) => word.length === 17 && isVinShape(word))
  const [vin, another] = shaped.filter(hasRightCheckDigit)
  if (vin !== undefined) return another === undefined ? { kind: 'vin', vin } : { kind: 'several' }
  if (shaped.length > 0) return { kind: 'unconfirmed' }
  return { kind: codes.length > 0 ? 'other' : 'nothing' }
}

/** The whole code without spaces, and its words: a QR code may be an address or a list that names the VIN. */
const wordsOf = (code: string): string[] =>
  [code, ...code.toUpperCase().split(/[^A-Z0-9]+/u)].map(normalizeVin)
