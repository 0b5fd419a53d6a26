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
  return (await findStoredPdf(deps.db, packageId, size)) ?? renderPdf(deps, packageId, size, reader)
}

/** When two processes render a PDF concurrently, both return the one stored first. */
async function renderPdf(deps: Deps, packageId: string, size: PaperSize, reader: string): Promise<StoredPdf> {
  const [row] = await findPackage(deps.db, { id: packageId })
  if (!row) throw apiErrors.NotFound()
  const { _id, createdAt, agreement } = decodePackage(row.contents)
  const appendix = await readAppendix(deps.db, deps.config, row)
  if (!appendix) throw apiErrors.Unavailable()
  const paper: PdfJob = { signed: { _id, createdAt, agreement, size }, appendix }
  const printed = await deps.printer.print(paper, reader)
  const [bytes, certificate] = [Buffer.from(printed.bytes), Buffer.from(printed.certificate)]
  const sealedWith = sha256(certificate)
  await insertCertificate(deps.db, { fingerprint: sealedWith, certificate })
  await insertPdf(deps.db, { packageId, size, bytes, digest: sha256(bytes), sealedWith })
  const first = await findStoredPdf(deps.db, packageId, size)
  if (!first) throw new Error('The PDF was not stored')
  return first
}

async function findStoredPdf(db: Db, packageId: string, size: PaperSize): Promise<StoredPdf | null> {
  const [found] = await findPdf(db, { packageId, size })
  return found ? { bytes: new Uint8Array(found.bytes), digest: found.digest } : null
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

type Row = { packageId: string; size: PaperSize; bytes: Buffer; digest: Buffer; sealedWith: Buffer }

const insertPdf = prepareQuery('insert-agreement-pdf', (db, p: Placeholders<Row>) =>
  db
    .insert(agreementPdfs)
    .values({
      packageId: p.packageId,
      size: sql`${p.size}`,
      bytes: p.bytes,
      digest: p.digest,
      sealedWith: p.sealedWith,
    })
    .onConflictDoNothing(),
)
