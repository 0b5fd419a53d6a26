import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { hashToken } from '../sessions/cookies.ts'
import { passkeyChallenges } from '../tables.ts'

export const challengeTtlMs = 5 * 60_000

/** Returns a new challenge: for adding a passkey in this session, or for a sign-in (`null`). */
export async function createChallenge(db: Db, sessionId: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32)
  const hash = hashToken(challenge.toString('base64url'))
  await insertChallenge(db, { hash, sessionId, seconds: challengeTtlMs / 1000 })
  return new Uint8Array(challenge)
}

/** Consumes a challenge, in base64url, even if the response to it is rejected (R-accounts-43). */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  sessionId: string | null,
): Promise<boolean> {
  const [deleted] = await deleteChallenge(db, { hash: hashToken(challenge) })
  return deleted?.isCurrent === true && deleted.sessionId === sessionId
}

const insertChallenge = prepareQuery(
  'insert-passkey-challenge',
  (db, p: Placeholders<{ hash: Buffer; sessionId: string | null; seconds: number }>) =>
    db.insert(passkeyChallenges).values({
      hash: p.hash,
      sessionId: p.sessionId,
      expiresAt: sql`${now} + ${p.seconds}::int * interval '1 second'`,
    }),
)

const deleteChallenge = prepareQuery('delete-passkey-challenge', (db, p: Placeholders<{ hash: Buffer }>) =>
  db
    .delete(passkeyChallenges)
    .where(eq(passkeyChallenges.hash, p.hash))
    .returning({
      sessionId: passkeyChallenges.sessionId,
      isCurrent: sql<boolean>`${passkeyChallenges.expiresAt} > ${now}`,
    }),
)

/** Returns the challenge that a browser signed; null if its data is malformed. */
export function challengeOf(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
