import { z } from 'zod'
import { storedPackage1 } from '../../frozen/package-1/stored-package.ts'
import type { Bytes, Hash } from '../../shared/crypto/merkle.ts'
import type { Proven } from '../evidence-log.ts'
import type { AgreementStatus } from './endpoints.ts'

// What an agreement is checked by: in a browser, by a command, and in tests alike. Nothing here asks anybody.

/** What a platform and its libraries bring along. */
export type Tools = {
  /** SHA-256. */
  hash: Hash
  isSignedByEd25519(publicKey: Bytes, signature: Bytes, text: Bytes): Promise<boolean>
  /** RFC 8785; throws where it has no form for a value. */
  canonical(json: unknown): string
}

/** Published for everybody, as far as it is at hand. */
export type Published = {
  /** `GET /.well-known/keyturn-log`: what heads were ever signed with. */
  keys: readonly string[] | null
  /** `GET /.well-known/keyturn-seal`: what PDFs were ever sealed with, by the SHA-256 of each certificate. */
  certificates: readonly string[] | null
  /** `GET /log/consistency/:size`: that the log has only grown since the head of this agreement. */
  growth: { proof: readonly string[]; head: Proven['head'] } | null
  /** `GET /verify/:agreement`; `unknown` where there is no such agreement. */
  standing: AgreementStatus | 'unknown' | null
}
export const nothingPublished: Published = { keys: null, certificates: null, growth: null, standing: null }

/**
 * `valid`: the file is as it was when somebody with the certificate of this SHA-256 sealed it; null where this platform
 * cannot check it.
 */
export type Seal = { valid: boolean | null; fingerprint: string | null }

export type Evidence = Published & {
  /** The package as it is written in the file. */
  contents: unknown
  /** What came with it proves that it is in the log. */
  proven: Proven | null
  /** Of a PDF; null for a file without a seal of its own. */
  seal: Seal | null
  /** SHA-256 of each picture that was given beside it, in hexadecimal. */
  pictures: readonly string[]
}

/** What an answer says of a deal beside what was packed and logged. */
const besideThePackage = ['completed', 'completedAt'] as const

/** What the digest of the package is over. */
export function packedPart(contents: unknown): unknown {
  if (typeof contents !== 'object' || contents === null || Array.isArray(contents)) return contents
  return Object.fromEntries(
    Object.entries(contents).filter(([key]) => !besideThePackage.some((one) => one === key)),
  )
}

const { terms } = storedPackage1.shape.agreement.shape
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const signature = z.object({ name: z.string(), signature: z.string(), digest })
const person = z.object({ email: z.string() })

/** Of a package only what is checked: a later one may say more. */
export const checkedPackage = z.object({
  _id: z.string(),
  seller: person,
  buyer: person,
  car: z.object({
    vin: z.string(),
    make: z.string(),
    carModel: z.string(),
    year: z.number(),
    mileage: z.number(),
    photos: z.array(z.object({ id: z.string() })),
  }),
  price: z.number(),
  agreement: z.object({
    terms,
    sheet: z.string(),
    hash: z.string(),
    textVersion: z.string(),
    seller: signature,
    buyer: signature,
  }),
})
export type CheckedPackage = z.output<typeof checkedPackage>
