import { register } from '@keyturn/contract/accounts/endpoints.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/database/open.ts'
import { deleteResponsesOf } from '../../../platform/http/idempotency.ts'
import { deleteMailsOf } from '../../../platform/mail/mails.ts'
import { forgetPerson } from '../../notifications/actions.ts'
import { forgetNetworks } from '../sessions/known-networks.ts'
import { stores } from '../sessions/sessions.ts'
import { userSessionTables } from '../tables.ts'
import { supersedeCodes } from './code-repository.ts'
import { erase } from './repository.ts'

/**
 * Takes away what names a person or says where they were: profile, sessions, codes, mails, kept answers, and their name
 * in what others read in their bells. Mails that others have received stay with them.
 */
export async function eraseTraces(tx: Db, id: string): Promise<void> {
  const { sessions } = userSessionTables
  await stores.user.endSessionsOf(tx, id, 'account deleted')
  await tx.update(sessions).set({ ip: null, userAgent: null, timeZone: null }).where(eq(sessions.owner, id))
  await supersedeCodes(tx, id, ['verify', 'reset', 'login'])
  await forgetNetworks(tx, id)
  await tx.execute(sql`update email_codes set address = '' where user_id = ${id}`)
  await deleteMailsOf(tx, id)
  await deleteResponsesOf(tx, id, register)
  await forgetPerson(tx, id)
  await erase(tx, id)
}
