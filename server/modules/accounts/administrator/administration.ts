import { createHash, timingSafeEqual } from 'node:crypto'
import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { sessionLifetimes } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { type SignInAttempt, startSignInAttempt } from '../../../platform/rate-limits/sign-in-attempts.ts'
import {
  consumeLimit,
  networkOf,
  refundLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { wholesalerApprovedEmail, wholesalerDeclinedEmail } from '../emails.ts'
import { toWholesaler } from '../mappers.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { decideWholesaler, lockUser } from '../people/user-repository.ts'
import { readKnownDevice, type Tokens, type Visitor } from '../sessions/cookies.ts'
import { isKnownNetwork, storeKnownNetwork } from '../sessions/known-networks.ts'
import { adminCredentials, refreshSession, sessionStores, startSession } from '../sessions/sessions.ts'

type Form = EndpointInput<typeof calls.adminLogin>['body']

/** Signs in the administrator, who exists only if the configuration names one with a password. */
export async function signInAdministrator(
  deps: Deps,
  visitor: Visitor,
  form: Form,
): Promise<{ tokens: Tokens; proof: string }> {
  const { admin } = deps.config
  const owner = adminCredentials(deps.config)
  const attempt = await startAdministratorAttempt(deps, visitor, form.username, owner)
  const isRightName = isSame(form.username, admin?.username ?? '')
  const isRightPassword = isSame(form.password, admin?.password ?? '')
  if (!owner || !isRightName || !isRightPassword) {
    deps.log.warn({ event: 'administrator sign-in failed', ip: visitor.ip }, 'security')
    throw accountErrors.InvalidCredentials({ message: accountTexts.admin.failed })
  }
  const tokens = await transaction(deps.db, async (tx) => {
    await storeKnownNetwork(deps, tx, visitor, owner)
    return startSession(tx, visitor, {
      kind: 'administrator',
      owner,
      lasting: sessionLifetimes.administrator,
    })
  })
  await attempt.succeed()
  deps.log.warn({ event: 'administrator signed in', ip: visitor.ip }, 'security')
  return { tokens, proof: owner }
}

/**
 * The administrator has no password reset, so guesses must not lock them out: a browser or network
 * they have used before has its own limit. From the tenth guess on, all other visitors share a wait
 * of at most a minute. Requests during the wait count only against the limit of their own address,
 * so that a flood from one address does not use up the next attempt.
 */
async function startAdministratorAttempt(
  deps: Deps,
  visitor: Visitor,
  username: string,
  owner: string | null,
): Promise<Pick<SignInAttempt, 'succeed'>> {
  const ip = networkOf(visitor.ip)
  const device = owner ? readKnownDevice(deps, visitor, owner) : null
  const isKnown = await isKnownNetwork(deps, visitor, owner)
  if (device) return startSignInAttempt(deps, [{ rule: throttleLimits.adminFromDevice, subject: device }])
  if (isKnown) return startSignInAttempt(deps, [{ rule: throttleLimits.adminFromKnown, subject: ip }])
  await consumeLimit(deps, throttleLimits.adminFromIp, ip)
  const attempt = await startSignInAttempt(deps, [
    { rule: throttleLimits.adminToName, subject: username, refundOnly: true },
  ])
  return {
    succeed: async () => {
      await refundLimit(deps, throttleLimits.adminFromIp, ip)
      await attempt.succeed()
    },
  }
}

export async function signOutAdministrator(deps: Deps, { access, refresh, ip }: Visitor): Promise<void> {
  if (!access && !refresh) return
  const ended = await sessionStores.administrator.endPresented(deps.db, {
    access,
    refresh,
    because: 'signed out',
  })
  if (ended.length === 0) await consumeLimit(deps, throttleLimits.unknownLogout, networkOf(ip))
  else deps.log.warn({ event: 'administrator signed out', ip }, 'security')
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

/** Compares digests of equal length, so the time does not reveal how much of a guess was right. */
const isSame = (given: string, right: string): boolean =>
  timingSafeEqual(digest(given), digest(right)) && right !== ''
const digest = (text: string) => createHash('sha256').update(text).digest()
