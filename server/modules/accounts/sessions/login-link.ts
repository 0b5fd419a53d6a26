import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import { addJob, type Task } from '../../../platform/jobs/jobs.ts'
import {
  consumeLimit,
  consumeLimitReturningWait,
  networkOf,
  refundLimit,
  resetLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { toUser } from '../mappers.ts'
import { sendLoginLinkEmail } from '../people/code-emails.ts'
import { findValidCode, markCodeUsed } from '../people/email-code-repository.ts'
import type { SignInResult } from '../people/registration.ts'
import { findUser, lockUser } from '../people/user-repository.ts'
import { deviceProof, hashToken, type Visitor } from './cookies.ts'
import { storeKnownNetwork } from './known-networks.ts'
import { lifetimesOf, startSession } from './sessions.ts'

export const loginLinkJob = 'mail-login-link'

/**
 * At most once an hour, emails the owner a link that bypasses the rate limit when strangers'
 * guesses slow this address down. The job is also queued for unknown addresses, so that neither the
 * response nor its timing reveals who has an account.
 */
export async function enqueueLoginLink(deps: Deps, email: string, userId: string | null): Promise<void> {
  if ((await consumeLimitReturningWait(deps, throttleLimits.loginLinkMail, email)) > 0) return
  await addJob(deps.db, loginLinkJob, { userId })
}

export const loginLinkTask = (deps: Pick<Deps, 'db' | 'config'>): Task => ({
  places: 1,
  run: async ({ userId }) => {
    if (typeof userId === 'string') await mailLink(deps, userId)
    return undefined
  },
})

/** Sends the link only to a verified address, because it opens the account. */
async function mailLink(deps: Pick<Deps, 'db' | 'config'>, id: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id })
    if (user?.email && user.verifiedAt) await sendLoginLinkEmail(deps, tx, user.id, user.email)
  })
}

/**
 * Signs in once, with the newest of these links. The link proves that the address is the owner's,
 * but does not count as a password where one is required again.
 */
export async function signInByLink(deps: Deps, visitor: Visitor, code: string): Promise<SignInResult> {
  const ip = networkOf(visitor.ip)
  await consumeLimit(deps, throttleLimits.loginLinkFromIp, ip)
  const hash = hashToken(code)
  const [found] = await findValidCode(deps.db, { hash, purpose: 'login' })
  const [owner] = found && !found.used ? await findUser(deps.db, { id: found.userId }) : []
  if (!found || !owner) throw accountErrors.InvalidLoginLink()
  const signedIn = await transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id: owner.id })
    const [used] = user?.email === found.address ? await markCodeUsed(tx, { hash }) : []
    if (!user || !used) throw accountErrors.InvalidLoginLink()
    const lasting = lifetimesOf(user.userType)
    const session = { kind: 'user', owner: user.id, lasting, signedInAt: noPassword } as const
    const tokens = await startSession(deps, tx, visitor, session)
    await storeKnownNetwork(deps, tx, visitor, user.id)
    return { user: toUser(deps.config, user), tokens, proof: deviceProof(user) }
  })
  await refundLimit(deps, throttleLimits.loginLinkFromIp, ip)
  await resetLimit(deps, throttleLimits.signInToAddress, found.address)
  deps.log.info({ event: 'signed in by link', user: owner.id, ip, agent: visitor.userAgent }, 'account')
  return signedIn
}

/** No password was typed for this session, so it never counts as a recent sign-in. */
const noPassword = new Date(0)
