import type { Consent } from '@keyturn/contract/agreements/endpoints.ts'
import { desc, eq, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { type Db, transaction } from '../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../platform/database/prepare-query.ts'
import type { SessionContext } from '../../platform/http/change-context.ts'
import { lockSigner } from '../accounts/people/lock-person.ts'
import { consents } from './tables.ts'

// Consents to sign electronically. Each consent and withdrawal is a row of evidence (R-deals-66,
// R-deals-67).

export const findConsent = prepareQuery('find-consent', (db, p: Placeholders<{ personId: string }>) =>
  db
    .select({ deed: consents.deed, version: consents.version, at: consents.at })
    .from(consents)
    .where(eq(consents.personId, p.personId))
    .orderBy(desc(consents.id))
    .limit(1),
)

const findLastGiven = prepareQuery('find-last-given-consent', (db, p: Placeholders<{ personId: string }>) =>
  db
    .select({ at: consents.at })
    .from(consents)
    .where(sql`${consents.personId} = ${p.personId} and ${consents.deed} = 'given'`)
    .orderBy(desc(consents.id))
    .limit(1),
)

/** Records a consent unless it is already active. The caller holds the person's lock. */
export async function giveConsent(tx: Db, by: SessionContext, version: string): Promise<void> {
  await recordConsent(tx, by, 'given', version)
}

export async function withdrawConsent(deps: Deps, by: SessionContext): Promise<Consent> {
  return transaction(deps, async (tx) => {
    await lockSigner(tx, by.actorId)
    await recordConsent(tx, by, 'withdrawn', null)
    return readConsent(tx, by.actorId)
  })
}

export async function readConsent(db: Db, personId: string): Promise<Consent> {
  const [last] = await findConsent(db, { personId })
  if (!last) return null
  const { version, deed, at } = last
  if (deed === 'given') return { version, givenAt: at.toISOString(), withdrawnAt: null }
  const [given] = await findLastGiven(db, { personId })
  return { version, givenAt: (given?.at ?? at).toISOString(), withdrawnAt: at.toISOString() }
}

const recordConsent = (tx: Db, by: SessionContext, deed: 'given' | 'withdrawn', version: string | null) =>
  tx.execute(
    sql`select record_consent(${by.actorId}, ${deed}, ${version}, ${by.sessionId}, ${by.ip}, ${by.userAgent})`,
  )
