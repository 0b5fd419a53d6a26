import { dataType, readCms } from '../shared/crypto/cms.ts'
import type { Cryptography } from '../shared/crypto/cryptography.ts'
import { readDer } from '../shared/crypto/der.ts'
import { toHex } from '../shared/crypto/signed-note.ts'
import { readTimeStamp, type TimeStamp } from '../shared/crypto/time-stamp.ts'
import { certificateTexts } from './certificate-texts.ts'

// Reads a signed agreement's PDF: its attachments, and the bytes its seal covers (decision 35). It
// runs on the server, in browsers and in a command, so it does no I/O and imports no cryptography.

export const pdfAttachments = {
  /** Canonical JSON of the package; its SHA-256 is the package digest in the log. */
  package: { name: 'agreement-package.json', description: certificateTexts.files.package },
  /** `logProof` in `evidence-log.ts`. */
  proof: { name: 'agreement-proof.json', description: certificateTexts.files.proof },
} as const

export type SealedPdf = {
  /** Attachments of the sealed part, byte for byte; null when missing. */
  package: Uint8Array | null
  proof: Uint8Array | null
  /** The sealed part except the seal itself. */
  covered: readonly [Uint8Array, Uint8Array]
  cms: Uint8Array
  /** A PAdES seal; earlier ones were plain CMS signatures (decision 77). */
  isPades: boolean
  /** The time in the seal's dictionary, which the seal covers. */
  statedAt: string | null
  /** The sealed part's length in bytes. It begins with the file. */
  length: number
  /** Null when nothing follows the sealed part. */
  added: AddedPart | null
}
/** `signature` and `revision`: of that form; nothing in it is checked. */
type AddedPart = { bytes: number; kind: 'signature' | 'revision' | 'data' }

export const padesFilter = 'ETSI.CAdES.detached'

/**
 * Reads the first part of the file that is a complete PDF sealed by Keyturn, and reports what
 * follows it. Returns null when there is none. It rejects a seal with gaps and nonzero padding after
 * the signature. Nothing is read from the rest of the file.
 */
export function readSealedPdf(file: Uint8Array): SealedPdf | null {
  // Latin-1 maps each byte to one character, so string indexes are byte offsets.
  const text = new TextDecoder('latin1').decode(file)
  for (const { 0: end, index } of [...text.matchAll(endOfRevision)].slice(0, maxRevisions)) {
    // With and without a line break after the mark.
    for (const length of [index + end.length, index + end.length + 1]) {
      const sealed = readRevision(file.subarray(0, length), text.slice(0, length))
      if (sealed) return { ...sealed, length, added: describeRest(text.slice(length)) }
    }
  }
  return null
}

/** Typed text cannot contain it: JSON escapes line breaks, and page contents are compressed. */
const endOfRevision = /\nstartxref\n\d+\n%%EOF/g
/** A genuine file's first end is the right one; this bounds the time for any other. */
const maxRevisions = 100

function describeRest(rest: string): AddedPart | null {
  if (rest === '') return null
  const isRevision = rest.includes('startxref')
  const isSigned = isRevision && /\/ByteRange\s*\[/.test(rest)
  return { bytes: rest.length, kind: isSigned ? 'signature' : isRevision ? 'revision' : 'data' }
}

function readRevision(file: Uint8Array, text: string): Omit<SealedPdf, 'length' | 'added'> | null {
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
  const isSealContents = seal.includes(`/Contents ${place}`) && text.endsWith('/Contents ', before)
  if (!isSealContents || after + length !== file.length || !/^<([0-9a-f]{2})+>$/.test(place)) return null
  const cms = withoutPadding(place.slice(1, -1))
  const attached = (name: string) => streamOf(file, objects, filesIn(objects).get(name))
  const statedAt = /\n\/M \(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z\)/.exec(seal)?.slice(1)
  return {
    package: attached(pdfAttachments.package.name),
    proof: attached(pdfAttachments.proof.name),
    covered: [file.subarray(0, before), file.subarray(after)],
    cms: cms ?? new Uint8Array(),
    isPades: seal.includes(`\n/SubFilter /${padesFilter}\n`),
    statedAt: statedAt ? `${statedAt.slice(0, 3).join('-')}T${statedAt.slice(3).join(':')}Z` : null,
  }
}

export type SealCheck = {
  /** False when the sealed part changed after it was sealed with this certificate. */
  valid: boolean
  /** SHA-256 of the sealed bytes, in hexadecimal. */
  digest: string
  /** SHA-256 of the certificate; the caller decides whether Keyturn issued it. */
  fingerprint: string | null
  certificate: Uint8Array | null
  sealedAt: string | null
  /** PAdES baseline level, B-T with a valid time stamp; null for an earlier seal. */
  level: 'B-B' | 'B-T' | null
  /** Null without a time stamp. */
  stamp: Pick<TimeStamp, 'valid' | 'at' | 'authority'> | null
}

export async function checkSeal(pdf: SealedPdf, cryptography: Cryptography): Promise<SealCheck> {
  const { covered, cms, isPades, statedAt } = pdf
  const digest = await sha256Of(cryptography, concatenate(covered))
  const seal = readCms(cms)
  const unread = { fingerprint: null, certificate: null, sealedAt: null, level: null, stamp: null }
  if (!seal) return { valid: false, digest, ...unread }
  const { publicKey, signature, signedAttributes, messageDigest, certificate } = seal
  const fingerprint = await sha256Of(cryptography, certificate)
  const isCertificateNamed = seal.certificateHash ? toHex(seal.certificateHash) === fingerprint : !isPades
  const isOfForm = isCertificateNamed && (!isPades || seal.contentType === dataType)
  const stamp =
    seal.timeStamp &&
    ((await readTimeStamp(seal.timeStamp, signature, cryptography)) ?? {
      valid: false,
      at: null,
      authority: '',
    })
  return {
    valid:
      toHex(messageDigest) === digest &&
      isOfForm &&
      (await cryptography.isSigned(publicKey, signature, signedAttributes)),
    digest,
    fingerprint,
    certificate,
    sealedAt: seal.signedAt ?? statedAt,
    level: isPades ? (stamp?.valid ? 'B-T' : 'B-B') : null,
    stamp,
  }
}

const sha256Of = async (cryptography: Cryptography, bytes: Uint8Array): Promise<string> =>
  toHex(await cryptography.digest('SHA-256', bytes))

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** DER states the signature's length; the rest of the placeholder must be zeros. */
function withoutPadding(hex: string): Uint8Array | null {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const cms = readDer(bytes)?.whole
  return cms && bytes.subarray(cms.length).every((byte) => byte === 0) ? cms : null
}

type Objects = {
  text: string
  root: string
  offsets: readonly number[]
  /** Raw text; empty when missing. */
  dictionaryOf(number: number | null): string
}

/** Looks objects up only in the cross-reference table: typed text may look like an object. */
function objectsOf(text: string): Objects | null {
  const [, start] = /\nstartxref\n(\d+)\n%%EOF\n?$/.exec(text.slice(-60)) ?? []
  const table = start === undefined ? '' : text.slice(Number(start))
  const [whole, count] = /^xref\n0 (\d+)\n/.exec(table) ?? []
  if (!whole) return null
  const rows = table.slice(whole.length, whole.length + 20 * Number(count)).match(/.{20}/gs) ?? []
  const trailer = table.slice(whole.length + 20 * Number(count))
  // `/Prev` points to an earlier table, so something was appended to a complete file.
  if (!trailer.startsWith('trailer\n') || trailer.includes('/Prev')) return null
  const offsets = rows.map((row) => Number(row.slice(0, 10)))
  const dictionaryOf = (number: number | null) => {
    const offset = offsets[number ?? -1] ?? text.length
    if (!text.startsWith(`${number} 0 obj\n<<`, offset)) return ''
    const [dictionary = ''] =
      /^.*?(?=\n(?:stream|endobj)\n)/s.exec(text.slice(offset, offset + maxDictionaryLength)) ?? []
    return dictionary
  }
  return { text, offsets, dictionaryOf, root: dictionaryOf(numberIn(trailer, 'Root')) }
}

/** Maximum dictionary length, including the placeholder of the seal. */
const maxDictionaryLength = 100_000

function numberIn(dictionary: string, key: string, before = ''): number | null {
  const [, number] = new RegExp(`\\n/${key} ${before}(\\d+) 0 R`).exec(dictionary) ?? []
  return number === undefined ? null : Number(number)
}

/** Maps attachment names to object numbers. */
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

/** Attachments are uncompressed, so their bytes are in the file unchanged. */
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
