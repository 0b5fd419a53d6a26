import { z } from 'zod'
import { storedPackage2 } from '../../frozen/package-2/stored-package.ts'
import type { Bytes, HashFunction } from '../../shared/crypto/merkle.ts'
import type { LogProof } from '../evidence-log.ts'
import type { SealCheck, SealedPdf } from '../sealed-pdf.ts'
import type { AgreementStatus } from './endpoints.ts'

// Input of the checks, for browsers, the command and tests. Nothing here does I/O.

/** Functions that the platform and its libraries provide. */
export type VerificationTools = {
  /** SHA-256. */
  hash: HashFunction
  isSignedByEd25519(publicKey: Bytes, signature: Bytes, text: Bytes): Promise<boolean>
  /** RFC 8785; throws for a value without a canonical form. */
  canonical(json: unknown): string
}

/** Public data; null where it is not available. */
export type PublishedEvidence = {
  /** `GET /.well-known/keyturn-log`: every key that ever signed a head. */
  keys: readonly string[] | null
  /** `GET /.well-known/keyturn-seal`: SHA-256 of every certificate that ever sealed a PDF. */
  certificates: readonly string[] | null
  /**
   * `GET /log/consistency/:size`: proof that the log has only grown since this agreement's head.
   */
  growth: { proof: readonly string[]; head: LogProof['head'] } | null
  /** `GET /verify/:agreement`; `unknown` when there is no such agreement. */
  status: AgreementStatus | 'unknown' | null
}
export const noPublishedEvidence: PublishedEvidence = {
  keys: null,
  certificates: null,
  growth: null,
  status: null,
}

/**
 * `valid`: the file is unchanged since it was sealed with this certificate (SHA-256); null when
 * this platform cannot check it.
 */
export type SealResult = { valid: boolean | null; fingerprint: string | null } & Partial<
  Pick<SealedPdf, 'length' | 'added'> & Pick<SealCheck, 'sealedAt' | 'level' | 'stamp'>
>

export type Evidence = PublishedEvidence & {
  /** The package as parsed from the file. */
  contents: unknown
  /** The attached proof that the package is in the log. */
  proven: LogProof | null
  /** Null for a file that is not a sealed PDF. */
  seal: SealResult | null
  /** SHA-256 of each picture supplied with the file, in hexadecimal. */
  pictures: readonly string[]
}

/** Fields of a response that are not part of the package or the log. */
export const responseOnlyFields = ['completed', 'completedAt', 'calledOff'] as const

/** Returns the part of the package that its digest covers. */
export function digestedPart(contents: unknown): unknown {
  if (typeof contents !== 'object' || contents === null || Array.isArray(contents)) return contents
  return Object.fromEntries(
    Object.entries(contents).filter(([key]) => !responseOnlyFields.some((one) => one === key)),
  )
}

export const statedEnd = z.object({
  completed: z.boolean().default(false),
  completedAt: z.string().nullable().default(null),
  calledOff: z.boolean().default(false),
})

const { terms } = storedPackage2.shape.agreement.shape
const digest = z.string().regex(/^[0-9a-f]{64}$/)
const signature = z.object({ name: z.string(), signature: z.string(), digest })
const person = z.object({ email: z.string() })
/** In dollars; absent in packages of version 1. */
const loan = { payoffAmount: z.number().nullish(), lender: z.string().optional() }

/** Only the fields that are checked: later packages may have more. */
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
    ...loan,
    photos: z.array(z.object({ id: z.string() })),
  }),
  price: z.number(),
  trades: z.array(z.object({ vin: z.string(), ...loan })).optional(),
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
