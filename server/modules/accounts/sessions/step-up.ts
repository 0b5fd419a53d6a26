import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { consumeLimit, refundLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { passwordMatches } from '../people/passwords.ts'
import { findUser } from '../people/user-repository.ts'
import type { UserRow } from '../tables.ts'
import { findSignInTime } from './actor-repository.ts'

/** A person who has proved their identity; by a sign-in if `signedInAt` is set. */
export type ConfirmedIdentity = { user: UserRow; signedInAt: Date | undefined; withPasskey: boolean }

/**
 * Requires the current password, or a sign-in within `withinMs` (R-accounts-14): an open browser
 * alone does not give access to the account. A sign-in with a passkey counts (R-accounts-46). A
 * wrong password fails even after a recent sign-in. Wrong passwords count together for all
 * endpoints.
 */
export async function requirePassword(
  deps: Deps,
  actor: { id: string; sessionId: string },
  currentPassword: string | undefined,
  withinMs: number,
): Promise<ConfirmedIdentity> {
  const [user] = await findUser(deps.db, { id: actor.id })
  if (!user?.email) throw apiErrors.InvalidAccessToken()
  if (currentPassword) {
    if (!(await verifyPassword(deps, user, currentPassword))) throw accountErrors.ReauthenticationRequired()
    return { user, signedInAt: undefined, withPasskey: false }
  }
  const [session] = await findSignInTime(deps.db, { id: actor.sessionId, seconds: withinMs / 1000 })
  if (!session?.fresh) throw accountErrors.ReauthenticationRequired()
  return { user, signedInAt: session.signedInAt, withPasskey: session.withPasskey }
}

/** Counts the attempt before checking it, and refunds it when the password is right. */
async function verifyPassword(deps: Deps, user: UserRow, password: string): Promise<boolean> {
  await consumeLimit(deps, throttleLimits.currentPassword, user.id)
  let isInvalidCredentials = false
  try {
    isInvalidCredentials = !(await passwordMatches(password, user.passwordHash))
    return !isInvalidCredentials
  } finally {
    if (!isInvalidCredentials) await refundLimit(deps, throttleLimits.currentPassword, user.id)
  }
}
