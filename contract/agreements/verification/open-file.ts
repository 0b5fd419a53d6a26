import type { Cryptography } from '../../shared/crypto/cryptography.ts'
import { type LogProof, logProof } from '../evidence-log.ts'
import { checkSeal, readSealedPdf } from '../sealed-pdf.ts'
import type { SealResult } from './evidence.ts'

type OpenedPdf = { package: Uint8Array | null; proof: Uint8Array | null; seal: SealResult }

/** Reads a PDF's attachments and seal, whose validity is null without cryptography. */
export async function readPdf(
  bytes: Uint8Array,
  cryptography: Cryptography | null,
): Promise<OpenedPdf | null> {
  const pdf = readSealedPdf(bytes)
  if (!pdf) return null
  const { length, added } = pdf
  const checked = cryptography && (await checkSeal(pdf, cryptography))
  const { valid = null, fingerprint = null, sealedAt = null, level = null, stamp = null } = checked ?? {}
  // What a broken seal says is meaningless.
  const seal = valid
    ? { valid, fingerprint, sealedAt, level, stamp, length, added }
    : { valid, fingerprint: null, length, added }
  return { package: pdf.package, proof: pdf.proof, seal }
}

/** A file, by its detected kind. */
export type OpenedFile =
  | {
      kind: 'agreement'
      number: string | null
      contents: unknown
      proven: LogProof | null
      seal: SealResult | null
    }
  | { kind: 'picture' }
  /** A PDF that is not, or no longer, a complete agreement from Keyturn. */
  | { kind: 'brokenPdf' }
  | { kind: 'other' }

export async function openFile(bytes: Uint8Array, cryptography: Cryptography | null): Promise<OpenedFile> {
  if (begins(bytes, '%PDF-')) return openPdf(bytes, cryptography)
  if (begins(bytes, '\xff\xd8\xff')) return { kind: 'picture' }
  const contents = jsonIn(bytes)
  return contents === ambiguous || isObject(contents) ? agreementOf(contents, null, null) : { kind: 'other' }
}

async function openPdf(bytes: Uint8Array, cryptography: Cryptography | null): Promise<OpenedFile> {
  const opened = await readPdf(bytes, cryptography)
  if (!opened) return { kind: 'brokenPdf' }
  const proof = logProof.safeParse(opened.proof && jsonIn(opened.proof))
  return agreementOf(opened.package && jsonIn(opened.package), proof.data ?? null, opened.seal)
}

function agreementOf(contents: unknown, proof: LogProof | null, seal: SealResult | null): OpenedFile {
  const number = isObject(contents) && typeof contents._id === 'string' ? contents._id : null
  return {
    kind: 'agreement',
    number,
    contents: contents === ambiguous ? null : contents,
    proven: proof,
    seal,
  }
}

const begins = (bytes: Uint8Array, letters: string) =>
  Array.from(letters).every((letter, at) => bytes[at] === letter.charCodeAt(0))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON with a key that occurs twice in one object: readers of it would read different packages. */
const ambiguous = Symbol('ambiguous')

function jsonIn(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return hasRepeatedKey(text) ? ambiguous : value
  } catch {
    return undefined
  }
}

/** Expects valid JSON. */
function hasRepeatedKey(json: string): boolean {
  const open: Set<unknown>[] = []
  for (const [token, name] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (name !== undefined) {
      const key: unknown = JSON.parse(name)
      if (open.at(-1)?.has(key)) return true
      open.at(-1)?.add(key)
    }
  }
  return false
}
