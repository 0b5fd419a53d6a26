import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { withMinimumResponseTime } from '../../../platform/rate-limits/minimum-response-time.ts'
import {
  consumeLimit,
  consumeLimitReturningWait,
  networkOf,
  refundLimit,
  resetLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { detachDevice } from '../../notifications/push/devices.ts'
import { passwordChangedEmail } from '../emails.ts'
import { deletePasskeysOf } from '../passkeys/passkey-repository.ts'
import { deviceProof, hashToken, type Tokens, type Visitor } from '../sessions/cookies.ts'
import { deleteKnownNetworks, storeKnownNetwork } from '../sessions/known-networks.ts'
import { lifetimesOf, sessionStores, startSession } from '../sessions/sessions.ts'
import { requirePassword } from '../sessions/step-up.ts'
import type { UserRow } from '../tables.ts'
import { revokeTokensOf } from '../tokens/token-repository.ts'
import { recordAccountEvent } from './account-events.ts'
import { sendResetEmail } from './code-emails.ts'
import { findValidCode, markCodeUsed, voidCodes } from './email-code-repository.ts'
import { lockActingPerson } from './lock-person.ts'
import { hashPassword, requireStrongPassword } from './passwords.ts'
import { requireNotSuspended } from './suspension.ts'
import {
  deletePendingAddress,
  findUser,
  findUserByEmail,
  hasWithdrawnAddress,
  lockUser,
  markVerified,
  setPasswordHash,
} from './user-repository.ts'

/** Gives the same response whether or not the address is known; only a known one gets an email. */
export async function forgotPassword(deps: Deps, visitor: Visitor, email: string) {
  await consumeLimit(deps, throttleLimits.resetMailFromIp, networkOf(visitor.ip))
  deps.log.info({ event: 'password reset requested', ip: visitor.ip }, 'account')
  return withMinimumResponseTime(deps, async () => {
    const [user] = await findUserByEmail(deps.db, { email })
    if ((await consumeLimitReturningWait(deps, throttleLimits.resetMail, email)) === 0 && user) {
      await transaction(deps.db, async (tx) => {
        const [locked] = await lockUser(tx, { id: user.id })
        if (locked?.email === email && !hasWithdrawnAddress(locked))
          await sendResetEmail(deps, tx, user.id, email)
      })
    }
    return { message: accountTexts.forgot.sent(email) }
  })
}

type ResetForm = EndpointInput<typeof calls.resetPassword>['body']

/** Resets the password once per code, ends every session, and verifies the address. */
export async function resetPassword(deps: Deps, visitor: Visitor, form: ResetForm) {
  await requireStrongPassword(form.password, null)
  const ip = networkOf(visitor.ip)
  await consumeLimit(deps, throttleLimits.resetFromIp, ip)
  const hash = hashToken(form.verificationCode)
  const [code] = await findValidCode(deps.db, { hash, purpose: 'reset' })
  const [user] = code && !code.used ? await findUser(deps.db, { id: code.userId }) : []
  if (!code || !user) throw accountErrors.InvalidResetCode()
  // The code is valid, so a later failure does not count as a guess.
  await refundLimit(deps, throttleLimits.resetFromIp, ip)
  await requireStrongPassword(form.password, { ...user, email: code.address })
  const passwordHash = await hashPassword(form.password)
  await transaction(deps.db, async (tx) => {
    const [locked] = await lockUser(tx, { id: user.id })
    const [used] = locked?.email === code.address ? await markCodeUsed(tx, { hash }) : []
    if (!locked || !used) throw accountErrors.InvalidResetCode()
    await requireNotSuspended(deps.config, tx, user.id)
    await markVerified(tx, { id: user.id, email: code.address })
    // The link "This was not me" leads here, so a pending address that somebody else entered is
    // dropped.
    if ((await deletePendingAddress(tx, { id: user.id })).length > 0) await voidCodes(tx, user.id, ['verify'])
    // The emails about passkeys lead here too, so a passkey that somebody else added is removed.
    const removed = await deletePasskeysOf(tx, { owner: user.id })
    const removedPasskeys = removed.length > 0
    await replacePassword(deps, tx, visitor, locked, passwordHash, 'password reset', { removedPasskeys })
    const done = { userId: user.id, actor: 'CODE' } as const
    await recordAccountEvent(tx, { ...done, event: 'passwordReset' })
    if (removedPasskeys) await recordAccountEvent(tx, { ...done, event: 'passkeyRemoved' })
  })
  await resetLimit(deps, throttleLimits.signInToAddress, code.address)
  deps.log.info({ event: 'password reset', user: user.id, ip: visitor.ip }, 'account')
  return { message: accountTexts.reset.done, proof: deviceProof({ ...user, passwordHash }) }
}

type ChangeForm = EndpointInput<typeof calls.changePassword>['body']

/** Ends every session of the person and starts a new one, so that old cookies are void. */
export async function changePassword(deps: Deps, visitor: Visitor, actor: UserActor, form: ChangeForm) {
  if (form.changePasswordId !== actor.id) throw apiErrors.Forbidden()
  const { user, signedInAt, withPasskey } = await requirePassword(
    deps,
    actor,
    form.currentPassword,
    maxSignInAgeMs,
  )
  await requireStrongPassword(form.password, { ...user, email: user.email ?? '' })
  const passwordHash = await hashPassword(form.password)
  const tokens = await transaction(deps.db, async (tx): Promise<Tokens> => {
    const locked = await lockActingPerson(tx, actor)
    if (locked.passwordHash !== user.passwordHash) throw accountErrors.ReauthenticationRequired()
    // This browser keeps its session and its pushes; all other browsers lose both.
    const attachDevice = await detachDevice(tx, { sessionId: actor.sessionId, userId: actor.id })
    await replacePassword(deps, tx, visitor, locked, passwordHash, 'password changed')
    const { id: userId, sessionId } = actor
    await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'passwordChanged', sessionId })
    const lasting = lifetimesOf(locked.userType)
    const id = newOwnedId(locked.id)
    const tokens = await startSession(deps, tx, visitor, {
      id,
      kind: 'user',
      owner: locked.id,
      lasting,
      signedInAt,
      withPasskey,
    })
    await attachDevice(id)
    return tokens
  })
  deps.log.info({ event: 'password changed', user: actor.id, ip: visitor.ip }, 'account')
  return { message: accountTexts.settings.changed, tokens, proof: deviceProof({ ...user, passwordHash }) }
}

/**
 * Voids the old password's codes, networks, sessions and tokens (R-accounts-72); the visitor's
 * network stays known.
 */
async function replacePassword(
  deps: Deps,
  tx: Db,
  visitor: Visitor,
  user: UserRow,
  passwordHash: string,
  because: string,
  lost: { removedPasskeys?: boolean } = {},
) {
  await setPasswordHash(tx, { id: user.id, passwordHash })
  await voidCodes(tx, user.id, ['reset', 'login'])
  await deleteKnownNetworks(tx, user.id)
  await storeKnownNetwork(deps, tx, visitor, user.id)
  await sessionStores.user.endSessionsOf(tx, user.id, because)
  const revoked = await revokeTokensOf(tx, { userId: user.id })
  if (user.email)
    await enqueueEmail(
      deps,
      tx,
      { id: user.id, email: user.email },
      passwordChangedEmail(deps.config, { ...lost, revokedTokens: revoked.length > 0 }),
    )
}
