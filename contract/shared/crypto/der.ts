export type Der = { tag: number; inside: Uint8Array; whole: Uint8Array }

/** Reads the value at the start of the bytes; null when it is invalid or truncated. */
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

/** Multi-byte tags and indefinite lengths do not occur in the formats read here. */
const [longTag, noLength] = [0x1f, 0x80]

/** Encodes a value with this content. */
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

/** Represents a missing value. */
export const emptyDer: Der = { tag: 0, inside: new Uint8Array(), whole: new Uint8Array() }

/** Reads the values inside, one after the other; an empty list when any is invalid. */
export function readDerChildren({ inside }: Der): Der[] {
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
  boolean: 0x01,
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context1: 0xa1,
  context3: 0xa3,
}

/** Returns an object identifier in dotted notation. */
export function readOid({ inside }: Der): string {
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

/** Encodes an object identifier from dotted notation. */
export function writeOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [40 * first + second, ...rest].flatMap((number) => {
    const digits = [number & 0x7f]
    for (let more = number >>> 7; more > 0; more >>>= 7) digits.unshift(0x80 | (more & 0x7f))
    return digits
  })
  return writeDer(derTags.oid, Uint8Array.from(bytes))
}

/** Parses a UTC time to the second, as in signatures and certificates; null for any other. */
export function readDerTime({ tag, inside }: Der): string | null {
  const text = String.fromCharCode(...inside)
  const [, years = '', ...rest] = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? []
  if (rest.length === 0 || (years.length === 2) !== (tag === derTags.utcTime)) return null
  const year = years.length === 4 ? years : `${Number(years) < 50 ? 20 : 19}${years}`
  const [month, day, hour, minute, second] = rest
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}
