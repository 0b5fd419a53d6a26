import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, isApiError } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { withMinimumResponseTime } from '../../../platform/rate-limits/minimum-response-time.ts'
import {
  consumeLimit,
  networkOf,
  type RateLimit,
  refundLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { type RegistrationCar, registrationAttemptEmail } from '../emails.ts'
import { toUser } from '../mappers.ts'
import { deviceProof, type Tokens, type Visitor } from '../sessions/cookies.ts'
import { storeKnownNetwork } from '../sessions/known-networks.ts'
import { lifetimesOf, startSession } from '../sessions/sessions.ts'
import { recordAccountEvent } from './account-events.ts'
import { sendVerificationEmail } from './code-emails.ts'
import { hashPassword, requireStrongPassword } from './passwords.ts'
import { findUnverifiedAccount, insertUser } from './user-repository.ts'

type Form = EndpointInput<typeof calls.register>['body']
/** `proof`: goes into the cookie that makes this a known browser. */
export type SignInResult = { user: calls.User; tokens: Tokens; proof: string }

/**
 * `taken`: the address has an account. `refused`: any other reason; the attempt is refunded
 * (R-accounts-41).
 */
type Outcome = 'made' | 'taken' | 'refused'

/** Starts the buyer's deal for a registration that names a VIN, and returns the car. */
export type StartDealOnRegistration = (tx: Db, user: { id: string }, vin: string) => Promise<RegistrationCar>

/**
 * Creates the account and signs in. A taken address gets the same error as other failures, after
 * the same time.
 */
export async function register(
  deps: Deps,
  visitor: Visitor,
  form: Form,
  afterRegister?: StartDealOnRegistration,
): Promise<SignInResult> {
  await requireStrongPassword(form.password, form)
  const network = networkOf(visitor.ip)
  const all: { limit: RateLimit; subject: string; counts: Outcome[] }[] = [
    { limit: throttleLimits.tryAddressFromIp, subject: network, counts: ['taken'] },
    { limit: throttleLimits.registerAddress, subject: form.email, counts: ['taken', 'made'] },
    { limit: throttleLimits.registerFromIp, subject: network, counts: ['made'] },
  ]
  const consumed: typeof all = []
  let outcome: Outcome = 'refused'
  try {
    for (const one of all) {
      await consumeLimit(deps, one.limit, one.subject)
      consumed.push(one)
    }
    const signedIn = await withMinimumResponseTime(deps, () =>
      createAccount(deps, visitor, form, afterRegister),
    )
    outcome = 'made'
    return signedIn
  } catch (error) {
    if (isApiError(error, 'RegistrationFailed')) outcome = 'taken'
    throw error
  } finally {
    const refunds = consumed.filter(({ counts }) => !counts.includes(outcome))
    await Promise.allSettled(refunds.map(({ limit, subject }) => refundLimit(deps, limit, subject)))
  }
}

async function createAccount(
  deps: Deps,
  visitor: Visitor,
  form: Form,
  afterRegister?: StartDealOnRegistration,
): Promise<SignInResult> {
  const passwordHash = await hashPassword(form.password)
  const created = await transaction(deps, async (tx) => {
    const [user] = await insertUser(tx, newUser(deps, form, passwordHash))
    if (!user) {
      await notifyAddressOwner(deps, tx, form.email)
      // Returned, not thrown, so that the email is committed.
      return accountErrors.RegistrationFailed()
    }
    await recordAccountEvent(tx, { userId: user.id, actor: 'PERSON', event: 'registered' })
    // Wholesalers do not buy, so the VIN of the link is ignored.
    const vin = user.userType !== 'WHOLESALER' && form.vin ? form.vin : null
    const car = vin && afterRegister ? await afterRegister(tx, user, vin) : { vin, userId: null }
    await sendVerificationEmail(deps, tx, user.id, form.email, car)
    const lasting = lifetimesOf(user.userType)
    const tokens = await startSession(deps, tx, visitor, { kind: 'user', owner: user.id, lasting })
    await storeKnownNetwork(deps, tx, visitor, user.id)
    return { user: toUser(deps.config, user), tokens, proof: deviceProof(user) }
  })
  if (created instanceof ApiError) {
    deps.log.info({ event: 'registration failed', ip: visitor.ip }, 'account')
    throw created
  }
  deps.log.info({ event: 'registered', user: created.user._id, ip: visitor.ip }, 'account')
  return created
}

const newUser = (deps: Deps, form: Form, passwordHash: string) => ({
  id: newId(),
  email: form.email,
  userType: form.userType,
  firstName: form.firstName,
  lastName: form.lastName,
  phoneNumber: form.phoneNumber,
  passwordHash,
  approved: form.userType === 'WHOLESALER' && deps.config.wholesalerSignup === 'open',
  referredBy: form.otherUserId || null,
})

/** Within 10 minutes, a second request is the same form sent twice, not a second attempt. */
const resubmitSeconds = 600

export async function notifyAddressOwner(deps: Deps, tx: Db, email: string): Promise<void> {
  const [owner] = await findUnverifiedAccount(tx, { email, seconds: resubmitSeconds })
  if (owner) await enqueueEmail(deps, tx, { id: owner.id, email }, registrationAttemptEmail(deps.config))
}
