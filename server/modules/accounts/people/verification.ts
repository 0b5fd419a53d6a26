import { accountErrors, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Deps } from '../../../deps.ts'
import { transaction, violatedConstraint } from '../../../platform/database/open-database.ts'
import { deleteBounce } from '../../../platform/mail/bounces.ts'
import { withMinimumResponseTime } from '../../../platform/rate-limits/minimum-response-time.ts'
import {
  consumeLimit,
  consumeLimitReturningWait,
  networkOf,
  refundLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { hashToken, type Visitor } from '../sessions/cookies.ts'
import { recordAccountEvent } from './account-events.ts'
import { sendVerificationEmail } from './code-emails.ts'
import { findValidCode, markCodeUsed, voidCodes } from './email-code-repository.ts'
import { findUser, findUserByEmail, hasWithdrawnAddress, lockUser, markVerified } from './user-repository.ts'

/** Always gives the same response; only an unverified address gets an email. */
export async function sendVerification(deps: Deps, visitor: Visitor, email: string, callerId: string | null) {
  await consumeLimit(deps, throttleLimits.verifyMailFromIp, networkOf(visitor.ip))
  deps.log.info({ event: 'verification email requested', ip: visitor.ip }, 'account')
  return withMinimumResponseTime(deps, async () => {
    const recipient = await findUnverified(deps, email, callerId)
    if (
      recipient &&
      (await consumeLimitReturningWait(deps, throttleLimits.verifyMail, recipient.counted)) === 0
    )
      await mailIfUnverified(deps, email, recipient.id)
    return { message: accountTexts.verify.sent(email) }
  })
}

/**
 * Finds the owner of an unverified address, or the caller if it is their pending address and nobody
 * has it. Only sent emails are counted. Emails to a pending address count for its requester, so
 * that strangers do not use up anybody's limit.
 */
async function findUnverified(deps: Deps, email: string, callerId: string | null) {
  const [owner] = await findUserByEmail(deps.db, { email })
  const [caller] = callerId ? await findUser(deps.db, { id: callerId }) : []
  if (owner) return owner.verifiedAt || hasWithdrawnAddress(owner) ? null : { id: owner.id, counted: email }
  return caller?.pendingEmail === email
    ? { id: caller.id, counted: pendingAddressKey(caller.id, email) }
    : null
}

export const pendingAddressKey = (userId: string, address: string): string => `${userId} ${address}`

async function mailIfUnverified(deps: Deps, email: string, id: string): Promise<void> {
  await transaction(deps.db, async (tx) => {
    const [user] = await lockUser(tx, { id })
    if (!user) return
    const isPending =
      user.pendingEmail === email || (user.email === email && !user.verifiedAt && !hasWithdrawnAddress(user))
    if (isPending) await sendVerificationEmail(deps, tx, id, email)
  })
}

/**
 * Verifies an address. The same code gives the same response until it expires, since mail scanners
 * open links (R-accounts-11).
 */
export async function verifyEmail(deps: Deps, visitor: Visitor, code: string) {
  const ip = networkOf(visitor.ip)
  await consumeLimit(deps, throttleLimits.verifyFromIp, ip)
  if (!(await isProven(deps, hashToken(code)))) throw accountErrors.InvalidVerificationCode()
  await refundLimit(deps, throttleLimits.verifyFromIp, ip)
  return { message: accountTexts.verify.done }
}

async function isProven(deps: Deps, hash: Buffer): Promise<boolean> {
  try {
    const { proven, verifiedId } = await transaction(deps.db, async (tx) => {
      const [code] = await findValidCode(tx, { hash, purpose: 'verify' })
      const [user] = code ? await lockUser(tx, { id: code.userId }) : []
      if (!code || !user) return { proven: false }
      const isTheirs = user.email === code.address || user.pendingEmail === code.address
      if (!isTheirs) return { proven: false }
      // Checked again under the lock, because concurrent requests may have seen the code unused.
      const [used] = await markCodeUsed(tx, { hash })
      if (!used) return { proven: (await findValidCode(tx, { hash, purpose: 'verify' }))[0]?.used ?? false }
      const isNewAddress = user.email !== code.address
      if (isNewAddress) await voidCodes(tx, user.id, ['reset', 'login'])
      await markVerified(tx, { id: user.id, email: code.address })
      await deleteBounce(tx, { userId: user.id, address: code.address })
      const fields = isNewAddress ? ['email'] : []
      await recordAccountEvent(tx, { userId: user.id, actor: 'CODE', event: 'verified', fields })
      return { proven: true, verifiedId: user.id }
    })
    if (verifiedId) deps.log.info({ event: 'address verified', user: verifiedId }, 'account')
    return proven
  } catch (error) {
    // Another account has verified this address in the meantime.
    if (violatedConstraint(error) === 'one_account_per_address') return false
    throw error
  }
}
