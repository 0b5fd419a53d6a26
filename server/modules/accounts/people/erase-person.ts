import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { enqueueEmail } from '../../../platform/mail/emails.ts'
import { accountDeletedEmail } from '../emails.ts'
import { recordAccountEvent } from './account-events.ts'
import { erasePersonalData } from './erase-personal-data.ts'
import { lockUser } from './user-repository.ts'

/**
 * Erases everything that names a person. The row stays as "Deleted user" for agreements that refer
 * to it, and the address is free for a new account. The caller checks whether the person may be
 * deleted.
 */
export async function erasePerson(deps: Deps, tx: Db, id: string): Promise<void> {
  const [user] = await lockUser(tx, { id })
  if (!user?.email) return
  await erasePersonalData(tx, id)
  await recordAccountEvent(tx, { userId: id, actor: 'PERSON', event: 'deleted' })
  await enqueueEmail(deps, tx, { id: null, email: user.email }, accountDeletedEmail())
}
