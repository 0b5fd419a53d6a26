/** One value of DER: what it is (`tag`), what stands in it, and its own bytes with both. */
export type Der = { tag: number; inside: Uint8Array; whole: Uint8Array }

/** The value that the bytes begin with; null where they are none, or end too early. */
export function readDer(bytes: Uint8Array): Der | null {
  const [tag = longTag, first = noLength] = bytes
  const more = Math.max(0, first - 0x80)
  if ((tag & longTag) === longTag || first === noLength || more > 4) return null
  let length = more === 0 ? first : 0
  for (const digit of bytes.subarray(2, 2 + more)) length = length * 256 + digit
  const start = 2 + more
  if (start + length > bytes.length) return null
  return { tag, inside: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) }
}

/** Of several bytes, and of a length that is not said: neither is written in what is read here. */
const [longTag, noLength] = [0x1f, 0x80]

/** The same the other way round, of what stands in it. */
export function writeDer(tag: number, ...inside: readonly Uint8Array[]): Uint8Array {
  const length = inside.reduce((sum, part) => sum + part.length, 0)
  const digits: number[] = []
  for (let rest = length; rest >= 1; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 + digits.length, ...digits]
  const written = new Uint8Array(head.length + length)
  written.set(head)
  let at = head.length
  for (const part of inside) {
    written.set(part, at)
    at += part.length
  }
  return written
}

/** Stands for one that is not there. */
export const noDer: Der = { tag: 0, inside: new Uint8Array(), whole: new Uint8Array() }

/** What stands in it, one after the other; nothing where anything else stands there. */
export function partsOf({ inside }: Der): Der[] {
  const parts: Der[] = []
  for (let rest = inside; rest.length > 0; ) {
    const part = readDer(rest)
    if (!part) return []
    parts.push(part)
    rest = rest.subarray(part.whole.length)
  }
  return parts
}

export const derTags = {
  octets: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  own: 0xa0,
}

/** As it is usually written, with dots. */
export function oidOf({ inside }: Der): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of inside) {
    number = number * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const top = Math.min(2, Math.floor(first / 40))
  return [top, first - 40 * top, ...rest].join('.')
}

/** Of a time in UTC to the second, as signatures and certificates have it; null for any other. */
export function timeOf({ tag, inside }: Der): string | null {
  const text = String.fromCharCode(...inside)
  const [, years = '', ...rest] = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  if (rest.length === 0 || (years.length === 2) !== (tag === derTags.utcTime)) return null
  const year = years.length === 4 ? years : `${Number(years) < 50 ? 20 : 19}${years}`
  const [month, day, hour, minute, second] = rest
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}
