import type { PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import { termSheetTexts } from '@keyturn/contract/agreements/term-sheet-texts.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { Task } from '../../platform/jobs/jobs.ts'
import type { AttachmentSource } from '../../platform/mail/email-tasks.ts'
import { readDocument, storeDocument } from '../../platform/storage/documents.ts'
import { withTimeLimit } from '../../shared/with-time-limit.ts'
import { decodePackage, storeAgreementJob } from './create-deal-package.ts'
import { sha256 } from './evidence-hashes.ts'
import { findPackage } from './package-repository.ts'
import { readAppendix } from './pdf/certificate-data.ts'
import type { PdfJob } from './pdf/pdf-printer.ts'
import { insertCertificate } from './seal/seal-certificates.ts'
import { agreementPdfs } from './tables.ts'

// Stores the signed agreement as a PDF, rendered once per paper size and never changed
// (R-deals-64).

export type StoredPdf = { bytes: Uint8Array<ArrayBuffer>; digest: Buffer }

export const storeAgreementTask = (deps: Deps): Task => ({
  places: 1,
  run: async ({ packageId }) => {
    await readAgreementPdf(deps, String(packageId))
    return undefined
  },
})

type PdfOptions = {
  size?: PaperSize
  /** Identifies the reader, so that nobody uses all slots of the printer. */
  reader?: string
  /**
   * True when a person waits for the response: the call then throws `AgreementBeingDrawn` before
   * the page times out, while rendering continues and the PDF is stored.
   */
  isCallerWaiting?: boolean
}

/** Returns the stored PDF, or renders it now if this size does not exist yet. */
export async function readAgreementPdf(
  deps: Deps,
  packageId: string,
  options: PdfOptions = {},
): Promise<StoredPdf> {
  const { isCallerWaiting, ...which } = options
  const made = coalesceReads(deps, packageId, which)
  const { callerTimeoutMs } = deps.printer
  if (!isCallerWaiting || !callerTimeoutMs) return made
  const inTime = await withTimeLimit(callerTimeoutMs, made)
  if (!inTime) throw dealErrors.AgreementBeingDrawn({ retryAfterSeconds: 15 })
  return inTime
}

type RenderOptions = Omit<PdfOptions, 'isCallerWaiting'>

function coalesceReads(deps: Deps, packageId: string, which: RenderOptions): Promise<StoredPdf> {
  const pending = pendingByPrinter.get(deps.printer) ?? new Map<string, Promise<StoredPdf>>()
  pendingByPrinter.set(deps.printer, pending)
  const { size = 'Letter', reader = storeAgreementJob } = which
  const key = `${packageId} ${size}`
  const found =
    pending.get(key) ?? findOrRender(deps, packageId, size, reader).finally(() => pending.delete(key))
  pending.set(key, found)
  return found
}

/** Coalesces requests: the job, the delivery and both emails ask for the same PDF concurrently. */
const pendingByPrinter = new WeakMap<Deps['printer'], Map<string, Promise<StoredPdf>>>()

async function findOrRender(
  deps: Deps,
  packageId: string,
  size: PaperSize,
  reader: string,
): Promise<StoredPdf> {
  return (await findStoredPdf(deps, packageId, size)) ?? renderPdf(deps, packageId, size, reader)
}

/** When two processes render a PDF concurrently, both return the one stored first. */
async function renderPdf(deps: Deps, packageId: string, size: PaperSize, reader: string): Promise<StoredPdf> {
  const [found] = await findPackage(deps.db, { id: packageId })
  if (!found) throw apiErrors.NotFound()
  const { _id, createdAt, agreement } = decodePackage(found.contents)
  const appendix = await readAppendix(deps.db, deps.config, found)
  if (!appendix) throw apiErrors.Unavailable()
  const paper: PdfJob = { signed: { _id, createdAt, agreement, size }, appendix }
  const printed = await deps.printer.print(paper, reader)
  const [bytes, certificate] = [Buffer.from(printed.bytes), Buffer.from(printed.certificate)]
  const sealedWith = sha256(certificate)
  await insertCertificate(deps.db, { fingerprint: sealedWith, certificate })
  const row = { packageId, size, digest: sha256(bytes), sealedWith }
  if (await areBytesRequired(deps.db)) await insertPdf(deps.db, { ...row, bytes })
  else
    await storeDocument(deps, {
      bytes,
      digest: row.digest,
      addReference: async (tx) => (await insertPdf(tx, { ...row, bytes: null })).length > 0,
    })
  const first = await findStoredPdf(deps, packageId, size)
  if (!first) throw new Error('The PDF was not stored')
  return first
}

/**
 * Older servers store and read the bytes in the row, and would send an empty file for a row without
 * them. Migration 0096 allows such rows once no older server runs.
 */
async function areBytesRequired(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`select from pg_attribute
    where attrelid = 'agreement_pdfs'::regclass and attname = 'bytes' and attnotnull`)
  return rows.length > 0
}

async function findStoredPdf(deps: Deps, packageId: string, size: PaperSize): Promise<StoredPdf | null> {
  const [found] = await findPdf(deps.db, { packageId, size })
  return found ? { bytes: await readBytes(deps, packageId, found), digest: found.digest } : null
}

type FoundPdf = { bytes: Buffer | null; digest: Buffer }

/** Throws `AgreementDamaged` if the object is missing or altered: it is never drawn again. */
async function readBytes(
  { pictures, log }: Deps,
  packageId: string,
  { bytes, digest }: FoundPdf,
): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes) return new Uint8Array(bytes)
  const stored = await readDocument(pictures, digest).catch((error) => {
    log.error({ err: error }, 'an agreement PDF could not be read')
    throw apiErrors.Unavailable()
  })
  if (stored) return new Uint8Array(stored)
  log.error({ package: packageId, digest: digest.toString('hex') }, 'an agreement PDF is missing or altered')
  throw dealErrors.AgreementDamaged()
}

/** Attachments of the emails to both parties, which refer to the agreement by its package id. */
export const agreementAttachments = (deps: Deps): AttachmentSource => ({
  filesOf: async (packageId) => {
    // A separate reader per package: otherwise the limit of two would apply to all emails together.
    const { bytes } = await readAgreementPdf(deps, packageId, { reader: packageId })
    const [row] = await findPackage(deps.db, { id: packageId })
    const filename = termSheetTexts.fileName(row ? decodePackage(row.contents).car.vin : '')
    return [{ filename, contentType: 'application/pdf', content: Buffer.from(bytes) }]
  },
})

const findPdf = prepareQuery(
  'find-agreement-pdf',
  (db, p: Placeholders<{ packageId: string; size: PaperSize }>) =>
    db
      .select({ bytes: agreementPdfs.bytes, digest: agreementPdfs.digest })
      .from(agreementPdfs)
      .where(and(eq(agreementPdfs.packageId, p.packageId), eq(agreementPdfs.size, sql`${p.size}`))),
)

type Row = { packageId: string; size: PaperSize; bytes: Buffer | null; digest: Buffer; sealedWith: Buffer }

const insertPdf = prepareQuery('insert-agreement-pdf', (db, p: Placeholders<Row>) =>
  db
    .insert(agreementPdfs)
    .values({
      packageId: p.packageId,
      size: sql`${p.size}`,
      bytes: sql`${p.bytes}`,
      digest: p.digest,
      sealedWith: p.sealedWith,
    })
    .onConflictDoNothing()
    .returning({ digest: agreementPdfs.digest }),
)
