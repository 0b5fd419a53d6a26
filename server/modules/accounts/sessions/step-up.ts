import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { consumeLimit, limits, refundLimit } from '../../../platform/rate-limits/throttles.ts'
import { passwordMatches } from '../people/passwords.ts'
import { findUser } from '../people/repository.ts'
import type { UserRow } from '../tables.ts'
import { isFreshSignIn } from './actor-repository.ts'

/** Who proved a moment ago that they are who signed in; `signedInAt` where a sign-in did for the password. */
export type Proven = { user: UserRow; signedInAt: Date | undefined }

/**
 * The current password, or a sign-in no longer ago than this (R-accounts-14): an open browser alone
 * gives nobody the account. A wrong password is wrong even after a sign-in, and wrong ones count together, whatever
 * they were given for.
 */
export async function requirePassword(
  deps: Deps,
  actor: { id: string; sessionId: string },
  currentPassword: string | undefined,
  withinMs: number,
): Promise<Proven> {
  const [user] = await findUser(deps.db, { id: actor.id })
  if (!user?.email) throw apiErrors.InvalidAccessToken()
  if (currentPassword) {
    if (!(await isRight(deps, user, currentPassword))) throw accountErrors.ReauthenticationRequired()
    return { user, signedInAt: undefined }
  }
  const [session] = await isFreshSignIn(deps.db, { id: actor.sessionId, seconds: withinMs / 1000 })
  if (!session?.fresh) throw accountErrors.ReauthenticationRequired()
  return { user, signedInAt: session.signedInAt }
}

/** Counted before it is looked at, like a sign-in; only wrong ones stay counted. */
async function isRight(deps: Deps, user: UserRow, password: string): Promise<boolean> {
  await consumeLimit(deps, limits.currentPassword, user.id)
  let isWrong = false
  try {
    isWrong = !(await passwordMatches(password, user.passwordHash))
    return !isWrong
  } finally {
    if (!isWrong) await refundLimit(deps, limits.currentPassword, user.id)
  }
}
