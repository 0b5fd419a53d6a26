import { termSheetTexts } from '@keyturn/contract/agreements/agreement-texts.ts'
import type { PaperSize } from '@keyturn/contract/agreements/endpoints.ts'
import { dealErrors } from '@keyturn/contract/deals/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import { type Placeholders, prepared } from '../../platform/database/prepared.ts'
import type { Task } from '../../platform/jobs/jobs.ts'
import type { AttachmentSource } from '../../platform/mail/mail-jobs.ts'
import { atMost } from '../../shared/at-most.ts'
import { packedOf, storeAgreementJob } from './create-deal-package.ts'
import { sha256 } from './evidence.ts'
import { findPackage } from './package-repository.ts'
import { appendixOf } from './pdf/certificate.ts'
import type { Paper } from './pdf/pdf-printer.ts'
import { keepCertificate } from './seal/certificates.ts'
import { agreementPdfs } from './tables.ts'

// Stores the signed agreement as a PDF, rendered once per paper size and never changed
// (R-deals-64).

export type StoredPdf = { bytes: Uint8Array<ArrayBuffer>; digest: Buffer }

export const storeAgreementPdf = (deps: Deps): Task => ({
  places: 1,
  run: async ({ packageId }) => {
    await signedPdfOf(deps, String(packageId))
    return undefined
  },
})

type Asking = {
  size?: PaperSize
  /** Identifies the reader, so that nobody uses all slots of the printer. */
  reader?: string
  /**
   * A person waits for the response. It fails in time, while rendering continues and the PDF is
   * stored.
   */
  isWaitedFor?: boolean
}

/** Returns the stored PDF, or renders it now if this size does not exist yet. */
export async function signedPdfOf(deps: Deps, packageId: string, asking: Asking = {}): Promise<StoredPdf> {
  const { isWaitedFor, ...which } = asking
  const made = askTogether(deps, packageId, which)
  const { callerTimeoutMs } = deps.printer
  if (!isWaitedFor || !callerTimeoutMs) return made
  const inTime = await atMost(callerTimeoutMs, made)
  if (!inTime) throw dealErrors.AgreementBeingDrawn({ retryAfterSeconds: 15 })
  return inTime
}

type Which = Omit<Asking, 'isWaitedFor'>

function askTogether(deps: Deps, packageId: string, which: Which): Promise<StoredPdf> {
  const asked = askedOf.get(deps.printer) ?? new Map<string, Promise<StoredPdf>>()
  askedOf.set(deps.printer, asked)
  const { size = 'Letter', reader = storeAgreementJob } = which
  const key = `${packageId} ${size}`
  const found = asked.get(key) ?? findOrMake(deps, packageId, size, reader).finally(() => asked.delete(key))
  asked.set(key, found)
  return found
}

/** Coalesces requests: the job, the delivery and both emails ask for the same PDF at once. */
const askedOf = new WeakMap<Deps['printer'], Map<string, Promise<StoredPdf>>>()

async function findOrMake(
  deps: Deps,
  packageId: string,
  size: PaperSize,
  reader: string,
): Promise<StoredPdf> {
  return (await readPdf(deps.db, packageId, size)) ?? make(deps, packageId, size, reader)
}

/** When two processes render it at once, both return the one stored first. */
async function make(deps: Deps, packageId: string, size: PaperSize, reader: string): Promise<StoredPdf> {
  const [row] = await findPackage(deps.db, { id: packageId })
  if (!row) throw apiErrors.NotFound()
  const { _id, createdAt, agreement } = packedOf(row.contents)
  const appendix = await appendixOf(deps.db, deps.config, row)
  if (!appendix) throw apiErrors.Unavailable()
  const paper: Paper = { signed: { _id, createdAt, agreement, size }, appendix }
  const printed = await deps.printer.print(paper, reader)
  const [bytes, certificate] = [Buffer.from(printed.bytes), Buffer.from(printed.certificate)]
  const sealedWith = sha256(certificate)
  await keepCertificate(deps.db, { fingerprint: sealedWith, certificate })
  await insertPdf(deps.db, { packageId, size, bytes, digest: sha256(bytes), sealedWith })
  const first = await readPdf(deps.db, packageId, size)
  if (!first) throw new Error('The PDF was not kept')
  return first
}

async function readPdf(db: Db, packageId: string, size: PaperSize): Promise<StoredPdf | null> {
  const [found] = await findPdf(db, { packageId, size })
  return found ? { bytes: new Uint8Array(found.bytes), digest: found.digest } : null
}

/** Attachments of the emails to both parties, which refer to the agreement by its package id. */
export const agreementEmails = (deps: Deps): AttachmentSource => ({
  filesOf: async (packageId) => {
    // A separate reader per package: otherwise the limit of two would apply to all emails together.
    const { bytes } = await signedPdfOf(deps, packageId, { reader: packageId })
    const [row] = await findPackage(deps.db, { id: packageId })
    const filename = termSheetTexts.fileName(row ? packedOf(row.contents).car.vin : '')
    return [{ filename, contentType: 'application/pdf', content: Buffer.from(bytes) }]
  },
})

const findPdf = prepared('kept-pdf', (db, p: Placeholders<{ packageId: string; size: PaperSize }>) =>
  db
    .select({ bytes: agreementPdfs.bytes, digest: agreementPdfs.digest })
    .from(agreementPdfs)
    .where(and(eq(agreementPdfs.packageId, p.packageId), eq(agreementPdfs.size, sql`${p.size}`))),
)

type Row = { packageId: string; size: PaperSize; bytes: Buffer; digest: Buffer; sealedWith: Buffer }

const insertPdf = prepared('keep-pdf', (db, p: Placeholders<Row>) =>
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
