import { readCms } from '../shared/crypto/cms.ts'
import type { Cryptography } from '../shared/crypto/cryptography.ts'
import { readDer } from '../shared/crypto/der.ts'
import { hexOf } from '../shared/crypto/signed-note.ts'
import { certificateTexts } from './certificate-texts.ts'

// A signed agreement as a file: what is attached to it, and what its seal covers (decision 35). For the server, for a browser and
// for a command alike: nothing here reads a file, asks anybody or has a library of cryptography.

export const attachments = {
  /** The canonical JSON of the package: its SHA-256 is the digest of the package in the log. */
  package: { name: 'agreement-package.json', description: certificateTexts.files.package },
  /** `proven` in `evidence-log.ts`. */
  proof: { name: 'agreement-proof.json', description: certificateTexts.files.proof },
} as const

export type SealedPdf = {
  /** What is attached, byte for byte; null where it is not there. */
  package: Uint8Array | null
  proof: Uint8Array | null
  /** All of the file but for the seal itself. */
  covered: readonly [Uint8Array, Uint8Array]
  cms: Uint8Array
}

/**
 * Null for all that is not a whole PDF of ours: one with something added behind the seal, with a seal that leaves
 * anything out, or with anything but zeros behind the signature in the seal's own place.
 */
export function readSealedPdf(file: Uint8Array): SealedPdf | null {
  // One letter for each byte, so that a place in the one is a place in the other.
  const text = new TextDecoder('latin1').decode(file)
  const objects = objectsOf(text)
  if (!objects) return null
  const { root, dictionaryOf } = objects
  const form = dictionaryOf(numberIn(root, 'AcroForm'))
  const field = dictionaryOf(numberIn(form, 'Fields', '\\['))
  const seal = dictionaryOf(numberIn(field, 'V'))
  const range = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(seal)
  if (!range) return null
  const [, before = 0, after = 0, length = 0] = range.map(Number)
  const place = text.slice(before, after)
  const isItsOwn = seal.includes(`/Contents ${place}`) && text.endsWith('/Contents ', before)
  if (!isItsOwn || after + length !== file.length || !/^<([0-9a-f]{2})+>$/.test(place)) return null
  const cms = withoutZeros(place.slice(1, -1))
  const attached = (name: string) => streamOf(file, objects, filesIn(objects).get(name))
  return {
    package: attached(attachments.package.name),
    proof: attached(attachments.proof.name),
    covered: [file.subarray(0, before), file.subarray(after)],
    cms: cms ?? new Uint8Array(),
  }
}

export type SealCheck = {
  /** Whether the file is as it was when somebody with this certificate sealed it. */
  valid: boolean
  /** SHA-256 of what the seal covers, in hexadecimal. */
  digest: string
  /** Whose seal it is, by the SHA-256 of the certificate; whether that is one of ours the seal cannot say. */
  fingerprint: string | null
  certificate: Uint8Array | null
  sealedAt: string | null
}

export async function checkSeal({ covered, cms }: SealedPdf, cryptography: Cryptography): Promise<SealCheck> {
  const digest = await cryptography.sha256(joined(covered))
  const seal = readCms(cms)
  if (!seal)
    return { valid: false, digest: hexOf(digest), fingerprint: null, certificate: null, sealedAt: null }
  const { publicKey, signature, signedAttributes, messageDigest, certificate, signedAt } = seal
  const isOfThis = hexOf(messageDigest) === hexOf(digest)
  return {
    valid: isOfThis && (await cryptography.isSigned(publicKey, signature, signedAttributes)),
    digest: hexOf(digest),
    fingerprint: hexOf(await cryptography.sha256(certificate)),
    certificate,
    sealedAt: signedAt,
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** The signature says itself how long it is; its place is filled up with zeros and nothing else. */
function withoutZeros(hex: string): Uint8Array | null {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const cms = readDer(bytes)?.whole
  return cms && bytes.subarray(cms.length).every((byte) => byte === 0) ? cms : null
}

type Objects = {
  text: string
  root: string
  offsets: readonly number[]
  /** As it is written; empty where there is none. */
  dictionaryOf(number: number | null): string
}

/** By the one table at the file's end: what somebody typed may look like an object, but no table leads to it. */
function objectsOf(text: string): Objects | null {
  const [, start] = /\nstartxref\n(\d+)\n%%EOF\n?$/.exec(text.slice(-60)) ?? []
  const table = start === undefined ? '' : text.slice(Number(start))
  const [whole, count] = /^xref\n0 (\d+)\n/.exec(table) ?? []
  if (!whole) return null
  const rows = table.slice(whole.length, whole.length + 20 * Number(count)).match(/.{20}/gs) ?? []
  const trailer = table.slice(whole.length + 20 * Number(count))
  // With an earlier part of the file behind it, something was added to what had been whole.
  if (!trailer.startsWith('trailer\n') || trailer.includes('/Prev')) return null
  const offsets = rows.map((row) => Number(row.slice(0, 10)))
  const dictionaryOf = (number: number | null) => {
    const offset = offsets[number ?? -1] ?? text.length
    if (!text.startsWith(`${number} 0 obj\n<<`, offset)) return ''
    const [dictionary = ''] =
      /^.*?(?=\n(?:stream|endobj)\n)/s.exec(text.slice(offset, offset + longest)) ?? []
    return dictionary
  }
  return { text, offsets, dictionaryOf, root: dictionaryOf(numberIn(trailer, 'Root')) }
}

/** Of a dictionary, the seal's with its empty place among them. */
const longest = 100_000

function numberIn(dictionary: string, key: string, before = ''): number | null {
  const [, number] = new RegExp(`\\n/${key} ${before}(\\d+) 0 R`).exec(dictionary) ?? []
  return number === undefined ? null : Number(number)
}

/** By their names, the numbers of the attached files. */
function filesIn({ root, dictionaryOf }: Objects): Map<string, number | null> {
  const [, list = ''] = /\n\/AF \[([^\]]*)\]/.exec(root) ?? []
  const specifications = [...list.matchAll(/(\d+) 0 R/g)].map(([, number]) => dictionaryOf(Number(number)))
  return new Map(
    specifications.map((each) => [
      /\n\/F \(([\w.-]+)\)/.exec(each)?.[1] ?? '',
      numberIn(each.slice(each.indexOf('\n/EF ')), 'F'),
    ]),
  )
}

/** What is attached is not packed: its bytes stand in the file as they are. */
function streamOf(
  file: Uint8Array,
  { text, offsets, dictionaryOf }: Objects,
  number: number | null | undefined,
): Uint8Array | null {
  const dictionary = dictionaryOf(number ?? null)
  if (dictionary.includes('/Filter')) return null
  const [, length = 0] = /\n\/Length (\d+)/.exec(dictionary) ?? []
  const start = (offsets[number ?? -1] ?? text.length) + dictionary.length + '\nstream\n'.length
  const end = start + Number(length)
  return text.startsWith('\nendstream', end) ? file.subarray(start, end) : null
}
