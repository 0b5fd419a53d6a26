import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { findActiveSession } from '../sessions/session-repository.ts'
import type { UserRow } from '../tables.ts'
import { lockUser, lockUserForShare } from './user-repository.ts'

export type Signer = { email: string; verifiedAt: Date }

/**
 * Locks a signer and returns the verified address and the time of verification. Until the
 * transaction ends, nobody can change the person or sign as them. Take this lock first, like
 * `lockExistingPerson`. Throws `EmailNotVerified`, or `InvalidAccessToken` for a suspended person.
 */
export async function lockSigner(tx: Db, id: string): Promise<Signer> {
  const [user] = await lockUser(tx, { id })
  if (user?.suspendedAt) throw apiErrors.InvalidAccessToken()
  if (!user?.email || !user.verifiedAt) throw apiErrors.EmailNotVerified()
  return { email: user.email, verifiedAt: user.verifiedAt }
}

/**
 * Locks a person until the transaction ends, so that they are not deleted while rows are added for
 * them. Throws `InvalidAccessToken` for a deleted or suspended account, whose sessions have ended.
 * Take this lock first: the order is person, car, deal, trade, signature.
 */
export async function lockExistingPerson(tx: Db, id: string): Promise<void> {
  const [user] = await lockUserForShare(tx, { id })
  if (!user?.email || user.suspendedAt) throw apiErrors.InvalidAccessToken()
}

/**
 * Locks a person who changes how their account is signed in to. The request was authenticated
 * before it waited for a password hash or a lock: a suspension, a reset or somebody's "End
 * session" may have ended its session since. Throws `InvalidAccessToken` then.
 */
export async function lockActingPerson(
  tx: Db,
  { id, sessionId }: Pick<UserActor, 'id' | 'sessionId'>,
): Promise<UserRow & { email: string }> {
  const [user] = await lockUser(tx, { id })
  const [session] = await findActiveSession(tx, { sessionId })
  if (!user?.email || user.suspendedAt || !session) throw apiErrors.InvalidAccessToken()
  return { ...user, email: user.email }
}

/**
 * Locks a person before their rows are collected for deletion: pending additions have been
 * committed, and nothing can be added afterwards. `for update` would block notifications to this
 * person, which hold the lock of a car. A suspended account stays.
 */
export async function lockPersonForDeletion(tx: Db, id: string): Promise<void> {
  const [user] = await lockUser(tx, { id })
  if (user?.suspendedAt) throw apiErrors.InvalidAccessToken()
}
