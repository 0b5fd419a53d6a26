import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open-database.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/mails.ts'
import { type CleanAlso, cleanJob, cleanTask } from './clean-task.ts'
import { accountDeletedEmail } from './emails.ts'
import { expireJob, expireTask } from './expire-task.ts'
import { recordAccountEvent } from './people/account-events.ts'
import { voidAllCodes } from './people/code-repository.ts'
import { eraseTraces } from './people/erase-traces.ts'
import { findUser, lockUser, lockUserForShare } from './people/repository.ts'
import { loginLinkJob, loginLinkTask } from './sessions/login-link.ts'
import { stores } from './sessions/sessions.ts'

// What other modules may import from this one.
export { requirePassword } from './sessions/step-up.ts'

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const [user] = await findUser(db, { id })
  if (!user?.email) return null
  const { firstName, lastName, phoneNumber } = user
  return { _id: user.id, firstName, lastName, email: user.email, phoneNumber }
}

/** Ends all sessions and codes: after a restore, ended and used ones may be valid again. */
export async function signOutEverybody(tx: Db, because: string): Promise<void> {
  for (const store of Object.values(stores)) await store.endAllSessions(tx, because)
  await voidAllCodes(tx)
}

export type Signer = { email: string; verifiedAt: Date }

/**
 * Locks a signer and returns the verified address and the time of verification. Until the
 * transaction ends, nobody can change the person or sign as them. Take this lock first, like
 * `requirePerson`. Throws `EmailNotVerified`.
 */
export async function lockSigner(tx: Db, id: string): Promise<Signer> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email || !user.verifiedAt) throw apiErrors.EmailNotVerified()
  return { email: user.email, verifiedAt: user.verifiedAt }
}

/**
 * Locks a person until the transaction ends, so that they are not deleted while rows of theirs are
 * added. Throws `InvalidAccessToken` for a deleted account. Take this lock first: the order is
 * person, car, deal, trade, signature.
 */
export async function requirePerson(tx: Db, id: string): Promise<void> {
  const [user] = await lockUserForShare(tx, { id })
  if (!user?.email) throw apiErrors.InvalidAccessToken()
}

/**
 * Locks a person before their rows are collected for deletion: pending additions have been
 * committed, and nothing can be added afterwards. `for update` would block notifications to this
 * person, which hold the lock of a car.
 */
export async function lockPersonForDeletion(tx: Db, id: string): Promise<void> {
  await lockUser(tx, { id })
}

/**
 * Erases everything that names a person. The row stays as "Deleted user" for agreements that refer
 * to it, and the address is free for a new account. The caller checks whether the person may be
 * deleted.
 */
export async function erasePerson(deps: Deps, tx: Db, id: string): Promise<void> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email) return
  await eraseTraces(tx, id)
  await recordAccountEvent(tx, { userId: id, actor: 'PERSON', event: 'deleted' })
  await sendMail(deps, tx, { id: null, email: user.email }, accountDeletedEmail())
}

export const accountJobs = (
  deps: Pick<Deps, 'db' | 'log' | 'config'>,
  { cleanAlso }: { cleanAlso: CleanAlso },
): Tasks => ({
  [loginLinkJob]: loginLinkTask(deps),
  [cleanJob]: cleanTask(deps, cleanAlso),
  [expireJob]: expireTask(deps),
})
