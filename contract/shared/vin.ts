// The form of a vehicle identification number (ISO 3779, 49 CFR 565).

/**
 * Returns the form in which VINs are stored and compared (R-cars-10): upper case, without spaces,
 * punctuation and invisible characters. It also removes prefixes on documents ("VIN:") and in bar
 * codes (an I, or asterisks).
 */
export const normalizeVin = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^[^\p{L}\p{N}]*VIN(?=[^\p{L}\p{N}])/u, '')
    .replace(/[\s\p{P}\p{Cf}]+/gu, '')
    .replace(/^VIN(?=.{17}$)/u, '')
    // No VIN of seventeen characters contains an I.
    .replace(/^I(?=[A-HJ-NPR-Z0-9]{17}$)/u, '')

/**
 * VINs from before 1981 are shorter than seventeen characters (R-cars-11 accepts eleven or more).
 * Only seventeen-character VINs exclude I, O and Q.
 */
export function isVinShape(vin: string): boolean {
  if (vin.length === 17) return /^[A-HJ-NPR-Z0-9]{17}$/.test(vin)
  return /^[A-Z0-9]{11,16}$/.test(vin)
}

/** Computes the ninth character from the other sixteen; null unless the VIN has seventeen. */
export function computeCheckDigit(vin: string): string | null {
  if (vin.length !== 17 || !isVinShape(vin)) return null
  let sum = 0
  for (const [place, weight] of weights.entries()) sum += weight * valueOfCharacter(vin.charAt(place))
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

/**
 * False suggests a typo and is worth a warning, never an error: cars for other markets may have any
 * character there, and older VINs have no check digit.
 */
export function hasValidCheckDigit(vin: string): boolean {
  const wanted = computeCheckDigit(vin)
  return wanted === null || wanted === vin.charAt(8)
}

/**
 * VINs have had seventeen characters since model year 1981; a shorter one causes a warning only.
 */
export const isTooShortForYear = (vin: string, year: number): boolean =>
  vin.length < 17 && isVinShape(vin) && year >= 1981

/** The ninth position has weight 0 because it is the check digit itself. */
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Letters in the order of `values`: 49 CFR 565.15 has no I, O and Q. */
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const values = '12345678123457923456789'

function valueOfCharacter(character: string): number {
  const place = letters.indexOf(character)
  return Number(place < 0 ? character : values.charAt(place))
}
