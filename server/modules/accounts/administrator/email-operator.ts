import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'

/** Sends an email to the operator's address, if there is one (R-accounts-59). */
export async function emailOperator(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  content: EmailContent,
): Promise<void> {
  const { adminEmail } = deps.config
  if (adminEmail !== null) await enqueueEmail(deps, tx, { id: null, email: adminEmail }, content)
}
