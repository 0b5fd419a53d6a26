import type { AgreementStatus } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { id } from '@keyturn/contract/shared/fields.ts'
import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { deals } from '../../deals/tables.ts'
import { packageHash } from '../evidence-hashes.ts'
import { readJointProof } from '../evidence-log/evidence-log.ts'
import { listCosigners } from '../evidence-log/submit-heads.ts'
import { findCurrentSignatures } from '../pdf/certificate-data.ts'
import { packages } from '../tables.ts'

/** Throws the same `NotFound` for a malformed number as for an unknown one (R-deals-78). */
export async function readAgreementStatus({ db, config }: Deps, agreement: string): Promise<AgreementStatus> {
  const [found] = id.safeParse(agreement).success ? await findAgreementState(db, { id: agreement }) : []
  if (!found) throw apiErrors.NotFound()
  const signed = await findCurrentSignatures(db, { dealId: found.dealId })
  const proven = await readJointProof(db, [...signed.map((signature) => signature.id), agreement])
  return {
    state: found.state,
    digest: packageHash(found.contents).toString('hex'),
    proven,
    cosigned: proven ? await listCosigners({ db, config }, proven.head.size) : [],
  }
}

const findAgreementState = prepareQuery('find-agreement-state', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({
      dealId: packages.dealId,
      contents: packages.contents,
      state: sql<AgreementStatus['state']>`case
        when ${deals.packageId} is distinct from ${packages.id} then 'superseded'
        when ${deals.withdrawnAt} is not null then 'cancelled'
        else 'stands' end`,
    })
    .from(packages)
    .innerJoin(deals, eq(deals.id, packages.dealId))
    .where(eq(packages.id, p.id)),
)
