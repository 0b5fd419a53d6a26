import type { Person } from '@keyturn/contract/accounts/endpoints.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/database/open.ts'
import type { Tasks } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/mails.ts'
import { type CleanAlso, cleanJob, cleanTask } from './cleaning.ts'
import { accountDeletedEmail } from './emails.ts'
import { expireJob, expireTask } from './expiring.ts'
import { recordEvent } from './people/account-events.ts'
import { voidAllCodes } from './people/code-repository.ts'
import { eraseTraces } from './people/erasing.ts'
import { findUser, holdUser, lockUser } from './people/repository.ts'
import { loginLinkJob, loginLinkTask } from './sessions/login-link.ts'
import { stores } from './sessions/sessions.ts'

// The front door: what the rooms above may ask of this one.
export { requirePassword } from './sessions/step-up.ts'

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const [user] = await findUser(db, { id })
  if (!user?.email) return null
  const { firstName, lastName, phoneNumber } = user
  return { _id: user.id, firstName, lastName, email: user.email, phoneNumber }
}

/** Everybody has to prove anew who they are: sessions that were ended, and codes that were used, may be open again. */
export async function endEverybodysSessions(tx: Db, because: string): Promise<void> {
  for (const store of Object.values(stores)) await store.endAllSessions(tx, because)
  await voidAllCodes(tx)
}

export type Signer = { email: string; verifiedAt: Date }

/**
 * Who signs, as they are at this moment: the address that was proven, and when. Until the transaction ends nobody changes
 * them and nobody signs as them elsewhere. Taken first, as `requirePerson` is.
 */
export async function lockSigner(tx: Db, id: string): Promise<Signer> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email || !user.verifiedAt) throw apiErrors.EmailNotVerified()
  return { email: user.email, verifiedAt: user.verifiedAt }
}

/**
 * A lock on the person until the transaction ends: nobody deletes them while something of theirs is being made.
 * Somebody whose account was deleted a moment ago is refused like anyone who is not signed in. Taken first in the transaction:
 * the order is person, car, deal, trade, signature.
 */
export async function requirePerson(tx: Db, id: string): Promise<void> {
  const [user] = await holdUser(tx, { id })
  if (!user?.email) throw apiErrors.InvalidAccessToken()
}

/**
 * Locks a person before their rows are collected for deletion: whatever was being added has been committed by then, and
 * nothing can be added afterwards. Not `for update`, because notices to this person would wait for it while holding a car.
 */
export async function lockLeaving(tx: Db, id: string): Promise<void> {
  await lockUser(tx, { id })
}

/**
 * Erases what names a person. The row stays as "Deleted user" for agreements that refer to it; their address is free
 * for a new account. Whether they may go is the caller's to know.
 */
export async function erasePerson(deps: Deps, tx: Db, id: string): Promise<void> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email) return
  await eraseTraces(tx, id)
  await recordEvent(tx, { userId: id, actor: 'PERSON', event: 'deleted' })
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
