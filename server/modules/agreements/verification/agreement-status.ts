import type { AgreementStatus } from '@keyturn/contract/agreements/verification/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { id } from '@keyturn/contract/shared/fields.ts'
import type { Deps } from '../../../deps.ts'
import { digestsWithoutContact } from '../create-deal-package.ts'
import { packageHash } from '../evidence-hashes.ts'
import { readJointProof } from '../evidence-log/evidence-log.ts'
import { listCosigners } from '../evidence-log/submit-heads.ts'
import { findPackage } from '../package-repository.ts'
import { findSignatureIds } from '../signature-repository.ts'

/** Throws the same `NotFound` for a malformed number as for an unknown one (R-deals-78). */
export async function readAgreementStatus({ db, config }: Deps, agreement: string): Promise<AgreementStatus> {
  const [found] = id.safeParse(agreement).success ? await findPackage(db, { id: agreement }) : []
  if (!found) throw apiErrors.NotFound()
  const signed = await findSignatureIds(db, { dealId: found.dealId })
  const proven = await readJointProof(db, [...signed.map((signature) => signature.id), agreement])
  const ended = found.withdrawnAt === null ? 'stands' : 'cancelled'
  return {
    state: found.isCurrent ? ended : 'superseded',
    digest: packageHash(found.contents).toString('hex'),
    proven,
    number: agreement,
    completedAt: found.completedAt?.toISOString() ?? null,
    calledOff: found.withdrawnAt !== null,
    withoutContact: digestsWithoutContact(found),
    cosigned: proven ? await listCosigners({ db, config }, proven.head.size) : [],
  }
}
