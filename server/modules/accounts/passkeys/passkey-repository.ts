import { and, asc, eq, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { type PasskeyRow, passkeys, userSessionTables, users } from '../tables.ts'

export const findPasskeys = prepareQuery('find-passkeys', (db, p: Placeholders<{ owner: string }>) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.owner, p.owner))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id)),
)

export const findPasskeyOfCredential = prepareQuery(
  'find-passkey-of-credential',
  (db, p: Placeholders<{ credentialId: Buffer }>) =>
    db.select().from(passkeys).where(eq(passkeys.credentialId, p.credentialId)),
)

type NewPasskey = Omit<PasskeyRow, 'createdAt' | 'lastUsedAt'>

/** Inserts nothing if somebody has this credential already. */
export const insertPasskey = prepareQuery('insert-passkey', (db, p: Placeholders<NewPasskey>) =>
  db
    .insert(passkeys)
    .values({
      id: p.id,
      owner: p.owner,
      credentialId: p.credentialId,
      publicKey: p.publicKey,
      signCount: p.signCount,
      name: p.name,
    })
    .onConflictDoNothing()
    .returning(),
)

/** Returns no row if the counter did not advance, except where an authenticator has none. */
export const advancePasskey = prepareQuery(
  'advance-passkey',
  (db, p: Placeholders<{ id: string; signCount: number }>) =>
    db
      .update(passkeys)
      .set({ signCount: sql`${p.signCount}::bigint`, lastUsedAt: now })
      .where(
        and(
          eq(passkeys.id, p.id),
          sql`(${passkeys.signCount} < ${p.signCount}::bigint or (${passkeys.signCount} = 0 and ${p.signCount}::bigint = 0))`,
        ),
      )
      .returning({ id: passkeys.id }),
)

export const savePasskeyName = prepareQuery(
  'save-passkey-name',
  (db, p: Placeholders<{ id: string; owner: string; name: string }>) =>
    db
      .update(passkeys)
      .set({ name: sql`${p.name}` })
      .where(and(eq(passkeys.id, p.id), eq(passkeys.owner, p.owner)))
      .returning(),
)

export const deletePasskey = prepareQuery(
  'delete-passkey',
  (db, p: Placeholders<{ id: string; owner: string }>) =>
    db
      .delete(passkeys)
      .where(and(eq(passkeys.id, p.id), eq(passkeys.owner, p.owner)))
      .returning({ name: passkeys.name }),
)

export const deletePasskeysOf = prepareQuery('delete-passkeys', (db, p: Placeholders<{ owner: string }>) =>
  db.delete(passkeys).where(eq(passkeys.owner, p.owner)).returning({ id: passkeys.id }),
)

const { sessions } = userSessionTables

/** Whether the person typed the password within these seconds and has not declined a passkey. */
export const findOffer = prepareQuery(
  'find-passkey-offer',
  (db, p: Placeholders<{ owner: string; sessionId: string; seconds: number }>) =>
    db
      .select({
        isOffered: sql<boolean>`(not ${users.declinesPasskey} and not ${sessions.withPasskey}
          and ${sessions.signedInAt} > ${now} - ${p.seconds}::int * interval '1 second')`,
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.owner))
      .where(and(eq(sessions.id, p.sessionId), eq(sessions.owner, p.owner))),
)

export const declineOffer = prepareQuery('decline-passkey-offer', (db, p: Placeholders<{ owner: string }>) =>
  db.update(users).set({ declinesPasskey: true }).where(eq(users.id, p.owner)),
)
