import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { sendMail } from '../../../platform/mail/mails.ts'
import { type AttemptCount, startSignInAttempt } from '../../../platform/rate-limits/sign-in-attempts.ts'
import { consumeLimit, limits, networkOf } from '../../../platform/rate-limits/throttles.ts'
import { sessionEndedEmail } from '../emails.ts'
import { toUser } from '../mappers.ts'
import { hashPassword, needsRehash, passwordMatches } from '../people/passwords.ts'
import type { SignedIn } from '../people/registration.ts'
import { findUser, findUserByEmail, lockUser, setPasswordHash } from '../people/repository.ts'
import type { UserRow } from '../tables.ts'
import { knownDevice, proofOf, type Tokens, type Visitor } from './cookies.ts'
import { isKnownNetwork, storeKnownNetwork } from './known-networks.ts'
import { offerLoginLink } from './login-link.ts'
import { lifetimesOf, refreshSession, startSession, stores } from './sessions.ts'

type Form = EndpointInput<typeof calls.login>['body']

/** Signs in; the error and its time are the same for a wrong password and an unknown address. */
export async function signIn(deps: Deps, visitor: Visitor, form: Form): Promise<SignedIn> {
  const [found] = await findUserByEmail(deps.db, { email: form.email })
  const offerLink = () => offerLoginLink(deps, form.email, found?.id ?? null)
  const attempt = await startSignInAttempt(
    deps,
    await listAttemptCounts(deps, visitor, form.email, found),
    async (rule) => {
      if (rule === limits.signInToAddress) await offerLink()
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
    if (!isInvalidCredentials(error)) await attempt.refund()
    else {
      if (attempt.isSlowed(limits.signInToAddress)) await offerLink()
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
  const device = found ? knownDevice(deps, visitor, proofOf(found)) : null
  const isKnown = await isKnownNetwork(deps, visitor, found?.id ?? null)
  if (device) return [{ rule: limits.signInFromDevice, subject: device }]
  if (isKnown) return [{ rule: limits.signInFromKnown, subject: `${ip} ${email}` }]
  return [
    { rule: limits.signInFromIp, subject: ip, refundOnly: true },
    { rule: limits.signInFromNetwork, subject: `${ip} ${email}` },
    { rule: limits.signInToAddress, subject: email },
  ]
}

/** Compares again under the lock, because the password may have just been reset. */
function openSession(
  deps: Deps,
  visitor: Visitor,
  found: UserRow,
  renewed: string | null,
): Promise<SignedIn> {
  return transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id: found.id })
    if (!user || user.passwordHash !== found.passwordHash || user.email !== found.email)
      throw accountErrors.InvalidCredentials()
    if (renewed) await setPasswordHash(tx, { id: user.id, passwordHash: renewed })
    const proof = proofOf({ ...user, passwordHash: renewed ?? user.passwordHash })
    const lasting = lifetimesOf(user.userType)
    const tokens = await startSession(tx, visitor, { kind: 'user', owner: user.id, lasting })
    await storeKnownNetwork(deps, tx, visitor, user.id)
    return { user: toUser(deps.config, user), tokens, proof }
  })
}

export const isInvalidCredentials = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'InvalidCredentials'

/** Ends the session of these cookies. Signing out twice is not an error. */
export async function signOut(deps: Deps, visitor: Visitor): Promise<void> {
  const { access, refresh, ip } = visitor
  if (!access && !refresh) return
  const ended = await stores.user.endPresented(deps.db, { access, refresh, because: 'signed out' })
  if (ended.length === 0) await consumeLimit(deps, limits.unknownLogout, networkOf(ip))
  for (const session of ended) deps.log.info({ event: 'signed out', user: session.owner, ip }, 'account')
}

export async function refreshUser(deps: Deps, visitor: Visitor): Promise<Tokens> {
  const { refresh, ip } = visitor
  if (!refresh) throw accountErrors.InvalidRefreshToken()
  await consumeLimit(deps, limits.refreshFromIp, networkOf(ip))
  const [session] = await stores.user.findSessionOf(deps.db, { hash: refresh })
  if (!session) throw accountErrors.InvalidRefreshToken()
  await consumeLimit(deps, limits.refreshSession, session.id)
  const result = await transaction(deps.db, async (tx) => {
    const refreshed = await refreshSession(tx, 'user', refresh)
    if (refreshed.outcome === 'reused') {
      const [user] = await findUser(tx, { id: refreshed.owner })
      if (user?.email)
        await sendMail(deps, tx, { id: user.id, email: user.email }, sessionEndedEmail(deps.config))
    }
    return refreshed
  })
  if (result.outcome === 'refreshed') return result.tokens
  if (result.outcome === 'reused')
    deps.log.warn(
      { event: 'refresh token reused', user: result.owner, session: result.sessionId, ip },
      'security',
    )
  throw accountErrors.InvalidRefreshToken()
}
