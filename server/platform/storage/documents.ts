import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../database/open-database.ts'
import type { Tasks } from '../jobs/jobs.ts'
import { claimDocument, deleteDocument, lockNextDocumentToSweep, pinDocument } from './document-repository.ts'
import type { DocumentStore } from './document-store.ts'

// Documents are evidence, so nothing but an unfinished upload is ever deleted (R-everywhere-74).

type StoreDeps = Pick<Deps, 'db' | 'pictures' | 'log'>
type NewDocument = {
  bytes: Uint8Array
  digest: Buffer
  /** Refers to the document in this transaction; false if another document came first. */
  addReference: (tx: Db) => Promise<boolean>
}

/**
 * Stores a document, then its reference. A document whose reference is not stored is swept after a
 * day.
 */
export async function storeDocument(
  { db, pictures, log }: StoreDeps,
  { bytes, digest, addReference }: NewDocument,
): Promise<void> {
  await claimDocument(db, { digest, byteCount: bytes.length })
  await pictures.documents.put(digest.toString('hex'), bytes).catch((error) => {
    log.error({ err: error }, 'a document could not be stored')
    throw apiErrors.Unavailable()
  })
  await transaction(db, async (tx) => {
    if (!(await addReference(tx))) return
    // Swept while this process hung for a day. A retry stores it again.
    if ((await pinDocument(tx, { digest })).length === 0) throw apiErrors.Unavailable()
  })
}

/** Returns null if the store has no such document, or another one in its place (R-everywhere-73). */
export async function readDocument(
  { documents }: { documents: DocumentStore },
  digest: Buffer,
): Promise<Buffer<ArrayBuffer> | null> {
  const found = await documents.open(digest.toString('hex'))
  if (!found) return null
  const bytes = await buffer(found)
  return createHash('sha256').update(bytes).digest().equals(digest) ? bytes : null
}

/** Scheduled once, by migration 0094; it reschedules itself. */
const sweepDocumentsJob = 'sweep-documents'

/** Deletes documents without a reference: the file first, so that a failure is retried. */
export const documentTasks = ({ db, pictures }: Pick<Deps, 'db' | 'pictures'>): Tasks => ({
  [sweepDocumentsJob]: {
    places: 1,
    run: async () => {
      const sweepNext = () =>
        transaction(db, async (tx) => {
          const [next] = await lockNextDocumentToSweep(tx, {})
          if (!next) return false
          await pictures.documents.drop(next.digest.toString('hex'))
          await deleteDocument(tx, next)
          return true
        })
      while (await sweepNext());
      return { againInMs: hourMs }
    },
  },
})
