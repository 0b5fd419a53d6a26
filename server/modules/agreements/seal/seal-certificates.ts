import { X509Certificate } from 'node:crypto'
import type { listSealCertificates as sealCertificatesCall } from '@keyturn/contract/agreements/endpoints.ts'
import type { EndpointOutput } from '@keyturn/contract/shared/endpoint.ts'
import { desc } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { sealCertificates } from '../tables.ts'

/** Stores each certificate once, however many papers it seals. */
export const insertCertificate = prepareQuery(
  'insert-seal-certificate',
  (db, p: Placeholders<{ fingerprint: Buffer; certificate: Buffer }>) =>
    db
      .insert(sealCertificates)
      .values({ fingerprint: p.fingerprint, certificate: p.certificate })
      .onConflictDoNothing(),
)

export async function listCertificates({ db }: Deps): Promise<EndpointOutput<typeof sealCertificatesCall>> {
  const rows = await findCertificates(db, {})
  return {
    certificates: rows.map(({ fingerprint, certificate, firstUsedAt }) => ({
      fingerprint: fingerprint.toString('hex'),
      certificate: new X509Certificate(certificate).toString(),
      firstUsedAt: firstUsedAt.toISOString(),
    })),
  }
}

const findCertificates = prepareQuery('find-seal-certificates', (db) =>
  db.select().from(sealCertificates).orderBy(desc(sealCertificates.firstUsedAt)),
)
