import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { isApiError } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { type AttemptCount, startSignInAttempt } from '../../../platform/rate-limits/sign-in-attempts.ts'
import { consumeLimit, networkOf, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { sessionEndedEmail } from '../emails.ts'
import { toUser } from '../mappers.ts'
import { hashPassword, needsRehash, passwordMatches } from '../people/passwords.ts'
import type { SignInResult } from '../people/registration.ts'
import { requireNotSuspended } from '../people/suspension.ts'
import { findUser, findUserByEmail, lockUser, setPasswordHash } from '../people/user-repository.ts'
import type { UserRow } from '../tables.ts'
import { deviceProof, readKnownDevice, type Tokens, type Visitor } from './cookies.ts'
import { isKnownNetwork, storeKnownNetwork } from './known-networks.ts'
import { enqueueLoginLink } from './login-link.ts'
import { lifetimesOf, refreshSession, sessionStores, startSession } from './sessions.ts'

type Form = EndpointInput<typeof calls.login>['body']

/** Signs in; the error and its time are the same for a wrong password and an unknown address. */
export async function signIn(deps: Deps, visitor: Visitor, form: Form): Promise<SignInResult> {
  const [found] = await findUserByEmail(deps.db, { email: form.email })
  const offerLink = () => enqueueLoginLink(deps, form.email, found?.id ?? null)
  const attempt = await startSignInAttempt(
    deps,
    await listAttemptCounts(deps, visitor, form.email, found),
    async (rule) => {
      if (rule === throttleLimits.signInToAddress) await offerLink()
    },
  )
  try {
    if (!(await passwordMatches(form.password, found?.passwordHash ?? null)) || !found)
      throw accountErrors.InvalidCredentials()
    const renewed = needsRehash(found.passwordHash) ? await hashPassword(form.password) : null
    const signedIn = await openSession(deps, visitor, found, renewed)
    await attempt.succeed()
    deps.log.info({ event: 'signed in', user: found.id, ip: visitor.ip, agent: visitor.userAgent }, 'account')
    return signedIn
  } catch (error) {
    if (!isApiError(error, 'InvalidCredentials')) await attempt.refund()
    else {
      if (attempt.isSlowed(throttleLimits.signInToAddress)) await offerLink()
      deps.log.info({ event: 'sign-in failed', ip: visitor.ip, agent: visitor.userAgent }, 'account')
    }
    throw error
  }
}

/**
 * A browser or network that has signed in to this account before has its own limit, and waits for
 * at most a minute. An unknown network may be blocked, entirely or for this account. The account is
 * only slowed down for other unknown networks, since its owner may be on one (decision 18).
 */
async function listAttemptCounts(
  deps: Deps,
  visitor: Visitor,
  email: string,
  found: UserRow | undefined,
): Promise<AttemptCount[]> {
  const ip = networkOf(visitor.ip)
  const device = found ? readKnownDevice(deps, visitor, deviceProof(found)) : null
  const isKnown = await isKnownNetwork(deps, visitor, found?.id ?? null)
  if (device) return [{ rule: throttleLimits.signInFromDevice, subject: device }]
  if (isKnown) return [{ rule: throttleLimits.signInFromKnown, subject: `${ip} ${email}` }]
  return [
    { rule: throttleLimits.signInFromIp, subject: ip, refundOnly: true },
    { rule: throttleLimits.signInFromNetwork, subject: `${ip} ${email}` },
    { rule: throttleLimits.signInToAddress, subject: email },
  ]
}

/** Compares again under the lock, because the password may have just been reset. */
function openSession(
  deps: Deps,
  visitor: Visitor,
  found: UserRow,
  renewed: string | null,
): Promise<SignInResult> {
  return transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id: found.id })
    if (!user || user.passwordHash !== found.passwordHash || user.email !== found.email)
      throw accountErrors.InvalidCredentials()
    if (renewed) await setPasswordHash(tx, { id: user.id, passwordHash: renewed })
    const proof = deviceProof({ ...user, passwordHash: renewed ?? user.passwordHash })
    const lasting = lifetimesOf(user.userType)
    const tokens = await startSession(deps, tx, visitor, { kind: 'user', owner: user.id, lasting })
    await storeKnownNetwork(deps, tx, visitor, user.id)
    return { user: toUser(deps.config, user), tokens, proof }
  })
}

/** Ends the session of these cookies. Signing out twice is not an error. */
export async function signOut(deps: Deps, visitor: Visitor): Promise<void> {
  const { access, refresh, ip } = visitor
  if (!access && !refresh) return
  const ended = await sessionStores.user.endPresented(deps.db, { access, refresh, because: 'signed out' })
  if (ended.length === 0) await consumeLimit(deps, throttleLimits.unknownLogout, networkOf(ip))
  for (const session of ended) deps.log.info({ event: 'signed out', user: session.owner, ip }, 'account')
}

export async function refreshUserSession(deps: Deps, visitor: Visitor): Promise<Tokens> {
  const { refresh, ip } = visitor
  if (!refresh) throw accountErrors.InvalidRefreshToken()
  await consumeLimit(deps, throttleLimits.refreshFromIp, networkOf(ip))
  const [session] = await sessionStores.user.findSessionOf(deps.db, { hash: refresh })
  if (!session) throw accountErrors.InvalidRefreshToken()
  await consumeLimit(deps, throttleLimits.refreshSession, session.id)
  const result = await transaction(deps.db, async (tx) => {
    const refreshed = await refreshSession(tx, 'user', refresh)
    if (refreshed.outcome === 'reused') {
      const [user] = await findUser(tx, { id: refreshed.owner })
      if (user?.email)
        await enqueueEmail(deps, tx, { id: user.id, email: user.email }, sessionEndedEmail(deps.config))
    }
    return refreshed
  })
  if (result.outcome === 'refreshed') return result.tokens
  if (result.outcome === 'reused')
    deps.log.warn(
      { event: 'refresh token reused', user: result.owner, session: result.sessionId, ip },
      'security',
    )
  // The token was valid until the suspension, so its holder may read why (R-accounts-61).
  if (result.outcome === 'suspended') await requireNotSuspended(deps.config, deps.db, result.owner)
  throw accountErrors.InvalidRefreshToken()
}
