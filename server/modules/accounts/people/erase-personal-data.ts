import { register } from '@keyturn/contract/accounts/endpoints.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open-database.ts'
import { deleteStoredResponses } from '../../../platform/http/idempotency.ts'
import { deleteEmailsToPeople } from '../../../platform/mail/email-queue.ts'
import { eraseFromNotifications } from '../../notifications/erase-from-notifications.ts'
import { deletePasskeysOf } from '../passkeys/passkey-repository.ts'
import { deleteKnownNetworks } from '../sessions/known-networks.ts'
import { sessionStores } from '../sessions/sessions.ts'
import { userSessionTables } from '../tables.ts'
import { deleteTokensOf } from '../tokens/token-repository.ts'
import { voidCodes } from './email-code-repository.ts'
import { eraseSuspensionNotes } from './suspension.ts'
import { eraseUser } from './user-repository.ts'

/**
 * Erases what names or locates a person: profile, sessions, tokens, codes, passkeys, emails, stored
 * responses, and the name in other people's notifications. Emails that were delivered cannot be recalled.
 */
export async function erasePersonalData(tx: Db, id: string): Promise<void> {
  const { sessions } = userSessionTables
  await sessionStores.user.endSessionsOf(tx, id, 'account deleted')
  await tx.update(sessions).set({ ip: null, userAgent: null, timeZone: null }).where(eq(sessions.owner, id))
  await deleteTokensOf(tx, id)
  await voidCodes(tx, id, ['verify', 'reset', 'login'])
  await deleteKnownNetworks(tx, id)
  await deletePasskeysOf(tx, { owner: id })
  await tx.execute(sql`update email_codes set address = '' where user_id = ${id}`)
  await deleteEmailsToPeople(tx, id)
  await deleteStoredResponses(tx, id, register)
  await eraseFromNotifications(tx, id)
  await eraseSuspensionNotes(tx, { userId: id })
  await eraseUser(tx, id)
}
