import { and, desc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { now } from '../../../platform/database/columns.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { type Placeholders, prepareQuery } from '../../../platform/database/prepare-query.ts'
import { type UserRow, users } from '../tables.ts'

export const findUser = prepareQuery('find-user', (db, p: Placeholders<{ id: string }>) =>
  db
    .select()
    .from(users)
    .where(and(eq(users.id, p.id), isNull(users.deletedAt))),
)

export const findUserByEmail = prepareQuery('find-user-by-email', (db, p: Placeholders<{ email: string }>) =>
  db.select().from(users).where(eq(users.email, p.email)),
)

export const findUnverifiedAccount = prepareQuery(
  'find-unverified-account',
  (db, p: Placeholders<{ email: string; seconds: number }>) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.email, p.email),
          sql`${users.createdAt} < ${now} - ${p.seconds}::int * interval '1 second'`,
        ),
      ),
)

/** Required to change a person or start a session for them; does not find a deleted person. */
export const lockUser = prepareQuery('lock-user', (db, p: Placeholders<{ id: string }>) =>
  db
    .select()
    .from(users)
    .where(and(eq(users.id, p.id), isNull(users.deletedAt)))
    .for('no key update'),
)

/**
 * Required to add rows for a person. The lock is shared, and prevents changing or deleting the
 * person. Rows that only refer to a person, such as notifications, wait for neither lock.
 */
export const lockUserForShare = prepareQuery('lock-user-for-share', (db, p: Placeholders<{ id: string }>) =>
  db
    .select({ email: users.email, suspendedAt: users.suspendedAt })
    .from(users)
    .where(and(eq(users.id, p.id), isNull(users.deletedAt)))
    .for('share'),
)

/** Inserts nothing when the address is taken, including by a concurrent request. */
export const insertUser = prepareQuery('insert-user', (db, p: Placeholders<NewUser>) =>
  db
    .insert(users)
    .values({
      id: p.id,
      email: p.email,
      userType: p.userType,
      firstName: p.firstName,
      lastName: p.lastName,
      phoneNumber: p.phoneNumber,
      passwordHash: p.passwordHash,
      approvedAt: sql`case when ${p.approved}::boolean then ${now} end`,
      referredBy: p.referredBy,
    })
    .onConflictDoNothing()
    .returning(),
)
type NewUser = Pick<
  UserRow,
  'id' | 'userType' | 'firstName' | 'lastName' | 'phoneNumber' | 'passwordHash' | 'referredBy'
> & { email: string; approved: boolean }

export const setPasswordHash = prepareQuery(
  'set-password-hash',
  (db, p: Placeholders<{ id: string; passwordHash: string }>) =>
    db
      .update(users)
      .set({ passwordHash: sql`${p.passwordHash}` })
      .where(eq(users.id, p.id)),
)

export const saveProfile = prepareQuery('save-profile', (db, p: Placeholders<Profile>) =>
  db
    .update(users)
    .set({
      firstName: sql`${p.firstName}`,
      lastName: sql`${p.lastName}`,
      phoneNumber: sql`${p.phoneNumber}`,
      pendingEmail: sql`${p.pendingEmail}`,
    })
    .where(eq(users.id, p.id))
    .returning(),
)
type Profile = Pick<UserRow, 'id' | 'firstName' | 'lastName' | 'phoneNumber' | 'pendingEmail'>

export const markVerified = prepareQuery(
  'mark-verified',
  (db, p: Placeholders<{ id: string; email: string }>) =>
    db
      .update(users)
      .set({
        email: sql`${p.email}`,
        pendingEmail: sql`nullif(${users.pendingEmail}, ${p.email})`,
        verifiedAt: sql`coalesce(${users.verifiedAt}, ${now})`,
      })
      .where(eq(users.id, p.id)),
)

/** An unverified address that its person withdrew may be a stranger's, so no code is sent there. */
export const hasWithdrawnAddress = (user: UserRow): boolean =>
  user.verifiedAt === null && user.pendingEmail !== null

export const deletePendingAddress = prepareQuery(
  'delete-pending-address',
  (db, p: Placeholders<{ id: string }>) =>
    db
      .update(users)
      .set({ pendingEmail: null })
      .where(and(eq(users.id, p.id), isNotNull(users.pendingEmail)))
      .returning({ id: users.id }),
)

export const findOtherUserByAddress = prepareQuery(
  'find-other-user-by-address',
  (db, p: Placeholders<{ email: string; id: string }>) =>
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, p.email), ne(users.id, p.id))),
)

export function findWholesalers(db: Db, approved: boolean | null): Promise<UserRow[]> {
  const filter = approved === null ? undefined : sql`(${users.approvedAt} is not null) = ${approved}`
  return db
    .select()
    .from(users)
    .where(and(eq(users.userType, 'WHOLESALER'), isNull(users.deletedAt), filter))
    .orderBy(desc(users.createdAt))
    .limit(500)
}

export async function decideWholesaler(tx: Db, id: string, approved: boolean): Promise<void> {
  const approval = { approvedAt: sql`coalesce(${users.approvedAt}, ${now})`, declinedAt: null }
  const denial = { approvedAt: null, declinedAt: sql`coalesce(${users.declinedAt}, ${now})` }
  await tx
    .update(users)
    .set(approved ? approval : denial)
    .where(eq(users.id, id))
}

/** Erases what names a person; the row stays for the agreements that refer to it. */
export async function eraseUser(tx: Db, id: string): Promise<void> {
  await tx
    .update(users)
    .set({
      email: null,
      pendingEmail: null,
      firstName: 'Deleted',
      lastName: 'user',
      phoneNumber: '',
      passwordHash: '',
      referredBy: null,
      approvedAt: null,
      deletedAt: now,
    })
    .where(eq(users.id, id))
}
