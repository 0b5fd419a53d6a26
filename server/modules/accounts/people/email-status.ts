import { mailboxTexts } from '@keyturn/contract/accounts/mailbox-texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { findBounces } from '../../../platform/mail/bounces.ts'
import { consumeLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { sendVerificationEmail } from './code-emails.ts'
import { findUser, lockUser } from './user-repository.ts'

export async function readEmailStatus({ db }: Deps, { id }: UserActor) {
  const [user] = await findUser(db, { id })
  if (!user) throw apiErrors.InvalidAccessToken()
  const bounces = await findBounces(db, { userId: id })
  const returned = bounces
    .filter(({ address }) => address === user.email || address === user.pendingEmail)
    .map(({ address, at }) => ({ address, at: at.toISOString(), isNew: address !== user.email }))
  return { returned }
}

/** Emails the verified address a link; opening it shows that emails arrive (R-notifications-12). */
export function sendAddressCheck(deps: Deps, { id }: UserActor) {
  return transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id })
    if (!user?.email) throw apiErrors.InvalidAccessToken()
    await consumeLimit({ ...deps, db: tx }, throttleLimits.verifyMail, user.email)
    await sendVerificationEmail(deps, tx, id, user.email)
    return { message: mailboxTexts.returned.sent(user.email) }
  })
}
