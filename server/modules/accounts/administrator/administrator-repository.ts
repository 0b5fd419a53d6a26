import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { type AdministratorRow, administrators, recoveryCodes } from '../tables.ts'

/** Finds an administrator who can sign in. */
export const findByUsername = prepareQuery(
  'find-administrator-by-username',
  (db, p: Placeholders<{ username: string }>) =>
    db
      .select()
      .from(administrators)
      .where(
        and(
          eq(administrators.username, p.username),
          isNull(administrators.disabledAt),
          isNotNull(administrators.passwordHash),
        ),
      ),
)

export const findById = prepareQuery('find-administrator-by-id', (db, p: Placeholders<{ id: string }>) =>
  db.select().from(administrators).where(eq(administrators.id, p.id)),
)

const withInvitation = {
  ...getTableColumns(administrators),
  isInvited: sql<boolean>`coalesce(${administrators.invitationExpiresAt} > ${now}, false)`,
}

export const lockById = prepareQuery('lock-administrator', (db, p: Placeholders<{ id: string }>) =>
  db.select(withInvitation).from(administrators).where(eq(administrators.id, p.id)).for('update'),
)

/** Locks all operators in one order: of two who disable each other, the second no longer is one. */
export const lockOperators = prepareQuery('lock-operators', (db, _p: Placeholders<Record<string, never>>) =>
  db
    .select({ id: administrators.id })
    .from(administrators)
    .where(
      and(
        eq(administrators.role, 'OPERATOR'),
        isNull(administrators.disabledAt),
        isNotNull(administrators.passwordHash),
      ),
    )
    .orderBy(asc(administrators.id))
    .for('update'),
)

export const listAll = prepareQuery('list-administrators', (db, _p: Placeholders<Record<string, never>>) =>
  db.select(withInvitation).from(administrators).orderBy(asc(administrators.name), asc(administrators.id)),
)

const isInvitedBy = ({ hash }: Placeholders<{ hash: Buffer }>) =>
  and(
    eq(administrators.invitationHash, hash),
    sql`${administrators.invitationExpiresAt} > ${now}`,
    isNull(administrators.disabledAt),
  )

export const findInvited = prepareQuery('find-invited', (db, p: Placeholders<{ hash: Buffer }>) =>
  db.select().from(administrators).where(isInvitedBy(p)),
)

export const lockInvited = prepareQuery('lock-invited', (db, p: Placeholders<{ hash: Buffer }>) =>
  db.select().from(administrators).where(isInvitedBy(p)).for('update'),
)

export async function insertAdministrator(
  tx: Db,
  row: Pick<AdministratorRow, 'id' | 'name' | 'username' | 'role' | 'invitationHash'>,
): Promise<void> {
  await tx.insert(administrators).values({ ...row, invitationExpiresAt: invitationEnd })
}

/** Links are passed on by hand, so they last a weekend. */
export const invitationEnd = sql`${now} + interval '3 days'`

type Changes = Partial<{ [K in keyof AdministratorRow]: AdministratorRow[K] | typeof now }>

export async function saveAdministrator(tx: Db, id: string, changes: Changes): Promise<void> {
  await tx
    .update(administrators)
    .set(changes as Partial<AdministratorRow>)
    .where(eq(administrators.id, id))
}

export async function replaceRecoveryCodes(tx: Db, administratorId: string, hashes: Buffer[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, administratorId))
  if (hashes.length > 0)
    await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ administratorId, hash })))
}

/** Voids open invitations and unused recovery codes of all administrators. */
export async function voidAllAdministratorCodes(tx: Db): Promise<void> {
  await tx
    .update(administrators)
    .set({ invitationHash: null, invitationExpiresAt: null })
    .where(isNotNull(administrators.invitationHash))
  await tx.update(recoveryCodes).set({ usedAt: now }).where(isNull(recoveryCodes.usedAt))
}

/** Returns a row if the code was unused. */
export const markRecoveryCodeUsed = prepareQuery(
  'use-recovery-code',
  (db, p: Placeholders<{ administratorId: string; hash: Buffer }>) =>
    db
      .update(recoveryCodes)
      .set({ usedAt: now })
      .where(
        and(
          eq(recoveryCodes.administratorId, p.administratorId),
          eq(recoveryCodes.hash, p.hash),
          isNull(recoveryCodes.usedAt),
        ),
      )
      .returning({ hash: recoveryCodes.hash }),
)
