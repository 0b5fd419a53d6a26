import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { ScopedActor, UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { consumeLimitInMemory } from '../../../platform/rate-limits/in-memory-limits.ts'
import { withMinimumResponseTime } from '../../../platform/rate-limits/minimum-response-time.ts'
import { consumeLimit, networkOf, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { addressChangingEmail } from '../emails.ts'
import { toUser } from '../mappers.ts'
import type { Visitor } from '../sessions/cookies.ts'
import { type ConfirmedIdentity, requirePassword } from '../sessions/step-up.ts'
import type { UserRow } from '../tables.ts'
import { recordAccountEvent } from './account-events.ts'
import { sendVerificationEmail } from './code-emails.ts'
import { voidCodes } from './email-code-repository.ts'
import { lockActingPerson } from './lock-person.ts'
import { notifyAddressOwner } from './registration.ts'
import { findOtherUserByAddress, findUser, saveProfile } from './user-repository.ts'
import { pendingAddressKey } from './verification.ts'

export async function readUser(deps: Deps, actor: Pick<ScopedActor, 'id'>) {
  consumeLimitInMemory(deps, throttleLimits.readUser, actor.id)
  const [user] = await findUser(deps.db, { id: actor.id })
  if (!user) throw apiErrors.InvalidAccessToken()
  return toUser(deps.config, user)
}

type Form = Omit<EndpointInput<typeof calls.editUser>['body'], 'currentPassword'>

/**
 * A new address is pending until it is verified, even when somebody else has it. The response, its
 * time and its limits are those of registration, so nobody learns here who has an account. A
 * verified person enters the password first, since the address gives access to the account
 * (R-accounts-13).
 */
export async function editUser(
  deps: Deps,
  visitor: Visitor,
  actor: UserActor,
  form: Form,
  currentPassword?: string,
) {
  await consumeLimit(deps, throttleLimits.editUser, actor.id)
  const [before] = await findUser(deps.db, { id: actor.id })
  if (!before) throw apiErrors.InvalidAccessToken()
  const asksForAddress = nextAddress(before, form.email).requested !== null
  const proof =
    asksForAddress && before.verifiedAt !== null
      ? await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
      : null
  const save = () => saveForm(deps, visitor, actor, form, proof)
  const { saved, fields } = asksForAddress ? await withMinimumResponseTime(deps, save) : await save()
  deps.log.info({ event: 'profile edited', user: actor.id, fields }, 'account')
  return toUser(deps.config, saved)
}

function saveForm(
  deps: Deps,
  visitor: Visitor,
  actor: UserActor,
  form: Form,
  proof: ConfirmedIdentity | null,
) {
  return transaction(deps.db, async (tx) => {
    const user = await lockActingPerson(tx, actor)
    const address = nextAddress(user, form.email)
    // The account was verified, or its password changed, after the proof was checked.
    if (address.requested && user.verifiedAt && proof?.user.passwordHash !== user.passwordHash)
      throw accountErrors.ReauthenticationRequired()
    const [saved = user] = await saveProfile(tx, {
      id: user.id,
      firstName: form.firstName ?? user.firstName,
      lastName: form.lastName ?? user.lastName,
      phoneNumber: form.phoneNumber ?? user.phoneNumber,
      pendingEmail: address.pending,
    })
    if (address.voidsCodes) await voidCodes(tx, user.id, address.voidsCodes)
    if (address.requested) await askForAddress(deps, tx, visitor, user, address.requested)
    const fields = profileFields.filter((field) => saved[field] !== user[field])
    const { id: userId, sessionId } = actor
    if (fields.length > 0)
      await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'edited', fields, sessionId })
    return { saved, fields }
  })
}

const profileFields = ['firstName', 'lastName', 'phoneNumber', 'pendingEmail'] as const

/**
 * Sends the code that verifies this address, or notifies the person who already has it, without a
 * code. Requests are counted in the same transaction, so that a failed one does not count.
 */
async function askForAddress(
  deps: Deps,
  tx: Db,
  visitor: Visitor,
  user: UserRow,
  address: string,
): Promise<void> {
  const counted = { ...deps, db: tx }
  if (user.verifiedAt) await consumeLimit(counted, throttleLimits.tryAddressFromIp, networkOf(visitor.ip))
  else await consumeLimit(counted, throttleLimits.changeUnverifiedAddress, user.id)
  await consumeLimit(counted, throttleLimits.registerAddress, address)
  await consumeLimit(counted, throttleLimits.verifyMail, pendingAddressKey(user.id, address))
  const [other] = await findOtherUserByAddress(tx, { email: address, id: user.id })
  if (other) await notifyAddressOwner(deps, tx, address)
  else await sendVerificationEmail(deps, tx, user.id, address)
  if (user.verifiedAt && user.email)
    await enqueueEmail(
      deps,
      tx,
      { id: user.id, email: user.email },
      addressChangingEmail(deps.config, address),
    )
}

type NextAddress = {
  pending: string | null
  requested: string | null
  voidsCodes: ('verify' | 'reset')[] | null
}

/**
 * Returns the person's addresses after this input. An unverified address may belong to a stranger,
 * who would receive the reset codes, so these are voided.
 */
function nextAddress(
  { email, pendingEmail: pending, verifiedAt }: Pick<UserRow, 'email' | 'pendingEmail' | 'verifiedAt'>,
  entered: string | undefined,
): NextAddress {
  if (entered === undefined || entered === (pending ?? email))
    return { pending, requested: null, voidsCodes: null }
  const isBack = entered === email
  return {
    pending: isBack ? null : entered,
    requested: isBack && verifiedAt ? null : entered,
    voidsCodes: verifiedAt ? ['verify'] : ['verify', 'reset'],
  }
}
