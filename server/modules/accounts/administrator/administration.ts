import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { consumeLimit, networkOf, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { wholesalerApprovedEmail, wholesalerDeclinedEmail } from '../emails.ts'
import { toWholesaler } from '../mappers.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { decideWholesaler, lockUser } from '../people/user-repository.ts'
import type { Tokens, Visitor } from '../sessions/cookies.ts'
import { refreshSession, sessionStores } from '../sessions/sessions.ts'
import { recordAdminEvent } from './admin-events.ts'
import { findById } from './administrator-repository.ts'

export async function signOutAdministrator(deps: Deps, { access, refresh, ip }: Visitor): Promise<void> {
  if (!access && !refresh) return
  const ended = await transaction(deps.db, async (tx) => {
    const sessions = await sessionStores.administrator.endPresented(tx, {
      access,
      refresh,
      because: 'signed out',
    })
    for (const { id, owner } of sessions) await recordSignOut(deps, tx, owner, { sessionId: id, ip })
    return sessions
  })
  if (ended.length === 0) await consumeLimit(deps, throttleLimits.unknownLogout, networkOf(ip))
  else deps.log.warn({ event: 'administrator signed out', ip }, 'security')
}

async function recordSignOut(
  { config }: Deps,
  tx: Db,
  owner: string,
  session: { sessionId: string; ip: string },
): Promise<void> {
  const [row] = owner.length === 24 ? await findById(tx, { id: owner }) : []
  const administrator = row ?? { id: null, username: config.admin?.username ?? 'admin', role: 'OPERATOR' }
  await recordAdminEvent(tx, { ...administrator, ...session }, { act: 'signedOut' })
}

export async function refreshAdministratorSession(deps: Deps, { refresh, ip }: Visitor): Promise<Tokens> {
  if (!refresh) throw accountErrors.InvalidAdminRefreshToken()
  await consumeLimit(deps, throttleLimits.adminRefresh, networkOf(ip))
  const result = await transaction(deps.db, (tx) => refreshSession(tx, 'administrator', refresh))
  if (result.outcome === 'refreshed') return result.tokens
  if (result.outcome === 'reused')
    deps.log.warn({ event: 'administrator refresh token reused', session: result.sessionId, ip }, 'security')
  throw accountErrors.InvalidAdminRefreshToken()
}

/** Approval takes effect in open sessions; revoking it ends them. */
export async function decideOnWholesaler(
  deps: Deps,
  administrator: Administrator,
  id: string,
  approved: boolean,
) {
  const decided = await transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id })
    if (user?.userType !== 'WHOLESALER' || !user.email) throw apiErrors.NotFound()
    await recordAdminEvent(tx, administrator, {
      act: approved ? 'approvedWholesaler' : 'declinedWholesaler',
      personId: id,
      before: { approved: user.approvedAt !== null },
      after: { approved },
    })
    const isChange = approved
      ? user.approvedAt === null
      : user.approvedAt !== null || user.declinedAt === null
    if (!isChange) return user
    if (!approved && user.approvedAt) await sessionStores.user.endSessionsOf(tx, id, 'no longer a wholesaler')
    await decideWholesaler(tx, id, approved)
    const event = approved ? 'approved' : 'declined'
    await recordAccountEvent(tx, { userId: id, actor: 'ADMIN', event, sessionId: administrator.sessionId })
    const email = approved ? wholesalerApprovedEmail(deps.config) : wholesalerDeclinedEmail()
    await enqueueEmail(deps, tx, { id, email: user.email }, email)
    return (await lockUser(tx, { id }))[0] ?? user
  })
  deps.log.warn(
    { event: approved ? 'wholesaler approved' : 'wholesaler declined', user: id, by: administrator.username },
    'security',
  )
  return toWholesaler(deps.config, decided)
}
