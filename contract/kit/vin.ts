/** What a vehicle identification number looks like, for the field, the server and the eye (ISO 3779, 49 CFR 565). */

/** As it is kept and compared: upper case and without any white space (R-cars-10). */
export const normalizeVin = (text: string): string => text.replace(/\s+/gu, '').toUpperCase()

/**
 * May a normalized text be a VIN? Cars from before 1981 carry fewer than seventeen characters (R-cars-11 takes them
 * from eleven on); only the seventeen of today leave out I, O and Q, so an older number may hold them.
 */
export function isVinShape(vin: string): boolean {
  if (vin.length === 17) return /^[A-HJ-NPR-Z0-9]{17}$/.test(vin)
  return /^[A-Z0-9]{11,16}$/.test(vin)
}

/** The ninth character that the other sixteen ask for; null when this is not a VIN of seventeen characters. */
export function checkDigit(vin: string): string | null {
  if (vin.length !== 17 || !isVinShape(vin)) return null
  let sum = 0
  for (const [place, weight] of weights.entries()) sum += weight * valueOfCharacter(vin.charAt(place))
  return sum % 11 === 10 ? 'X' : String(sum % 11)
}

/**
 * False is a hint at a slip of the pen, worth a warning, never a refusal: cars made for other markets carry any
 * character there, and older numbers have no such place.
 */
export function hasRightCheckDigit(vin: string): boolean {
  const wanted = checkDigit(vin)
  return wanted === null || wanted === vin.charAt(8)
}

/** Maker, description and serial part, as they stand on the dash plate: 1HG CM8263 3A004352. */
export function groupVin(vin: string): string[] {
  return [vin.slice(0, 3), vin.slice(3, 9), vin.slice(9)].filter((group) => group !== '')
}

/** The ninth place weighs nothing: it is the digit itself. */
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Each letter under its value: the three rows of the alphabet as EBCDIC cut it, without I, O and Q. */
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ'
const values = '12345678123457923456789'

function valueOfCharacter(character: string): number {
  const place = letters.indexOf(character)
  return Number(place < 0 ? character : values.charAt(place))
}
