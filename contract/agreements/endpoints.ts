import { z } from 'zod'
import { isTextVersion } from '../deals/terms.ts'
import { storedPackage1 } from '../frozen/package-1/stored-package.ts'
import { storedPackage2 } from '../frozen/package-2/stored-package.ts'
import { defineEndpoint } from '../shared/endpoint.ts'
import { id, isoTime, okResponse } from '../shared/fields.ts'

/** A page that does not know the text version yet must be reloaded. */
const isKnownText = ({ agreement }: { agreement: { textVersion: string } }) =>
  isTextVersion(agreement.textVersion)

const saleState = {
  completed: z.boolean(),
  completedAt: isoTime.nullable(),
  /** The dealer has called off the sale. */
  calledOff: z.boolean().default(false),
}

export const dealPackage = z
  .union([storedPackage2.extend(saleState), storedPackage1.extend(saleState)])
  .refine(isKnownText)
export type DealPackage = z.output<typeof dealPackage>

export const readPackage = defineEndpoint('GET /progress/pkg/:pkgId/1', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedPackage',
  scope: 'deals:read',
  params: z.object({ pkgId: id }),
  response: dealPackage,
  errors: ['NotFound'],
})

export const paperSizes = ['Letter', 'A4'] as const
export type PaperSize = (typeof paperSizes)[number]

/** Returns the signed agreement as a PDF: the same bytes each time (R-deals-64). */
export const readAgreementPdf = defineEndpoint('GET /progress/agreement/:pkgId', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedAgreement',
  scope: 'deals:read',
  params: z.object({ pkgId: id }),
  query: z.object({ size: z.enum(paperSizes).default('Letter') }),
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound', 'AgreementBeingDrawn', 'AgreementDamaged'],
})

/**
 * Returns the same PDF to anybody with the link of a party's email, without an account and also when
 * both accounts are deleted (R-deals-111).
 */
export const readAgreementByLink = defineEndpoint('GET /agreements/:token', {
  callers: ['anyone'],
  params: z.object({ token: z.string() }),
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound', 'AgreementBeingDrawn', 'AgreementDamaged'],
})

export const signedAgreement = z.object({ pkgId: id, vin: z.string(), car: z.string(), signedAt: isoTime })
export type SignedAgreement = z.output<typeof signedAgreement>

/** Newest first: what the caller can save before deleting the account. */
export const listAgreements = defineEndpoint('GET /agreements', {
  callers: ['signedIn'],
  scope: 'deals:read',
  response: z.array(signedAgreement),
})

const ofDeal = z.object({ dealId: id })

/**
 * Returns the sheet that the caller is about to sign as a PDF, marked as a draft, without signatures
 * or a seal (R-deals-114).
 */
export const readDraftPdf = defineEndpoint('GET /progress/draft/:dealId', {
  callers: ['trader'],
  params: ofDeal,
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound'],
})

/** Reports that a page shows the caller the sheet that they are about to sign (R-deals-113). */
export const reportShownSheet = defineEndpoint('POST /progress/shown/:dealId', {
  callers: ['trader'],
  params: ofDeal,
  /** The version of the deal and of its text that the page shows. */
  body: z.object({ version: z.int().min(1), textVersion: z.string().max(64) }),
  response: okResponse,
  errors: ['NotFound', 'StaleVersion'],
})

/** Null if consent was never given. `withdrawnAt` is null while the consent is active. */
const consent = z
  .object({ version: z.string(), givenAt: isoTime, withdrawnAt: isoTime.nullable() })
  .nullable()
export type Consent = z.output<typeof consent>

export const readConsent = defineEndpoint('GET /consent', {
  callers: ['trader'],
  /** `address`: where to ask for paper copies; empty from a server that does not know it yet. */
  response: z.object({ consent, address: z.string().default('') }),
})

export const withdrawConsent = defineEndpoint('DELETE /consent', {
  callers: ['trader'],
  response: z.object({ consent }),
})

/**
 * Returns every certificate that ever sealed a PDF, so that old files can be checked after a key is
 * retired (R-deals-70).
 */
export const listSealCertificates = defineEndpoint('GET /.well-known/keyturn-seal', {
  callers: ['anyone'],
  response: z.object({
    /** Newest first. `certificate`: X.509 in PEM; `fingerprint`: its SHA-256 in hexadecimal. */
    certificates: z.array(
      z.object({ fingerprint: z.string(), certificate: z.string(), firstUsedAt: isoTime }),
    ),
  }),
})
