import type * as calls from '@keyturn/contract/accounts/calls.ts'
import { freshSignInMs } from '@keyturn/contract/accounts/rules.ts'
import { accountRefusals, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { type Db, transaction, violated } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { UserActor } from '../http/who.ts'
import { recordEvent } from './account-events.ts'
import { supersedeCodes } from './code-store.ts'
import { mailVerification } from './codes.ts'
import { addressChangingLetter } from './letters.ts'
import { sendMail } from './mails.ts'
import { requirePassword } from './step-up.ts'
import { findUser, isAddressOfOther, lockUser, saveProfile } from './store.ts'
import type { UserRow } from './tables.ts'
import { limits, takeTurn } from './throttles.ts'
import { takeTurnHere } from './turns-here.ts'
import { pendingOf } from './verification.ts'
import { toUser } from './wire.ts'

export async function readUser(deps: Deps, actor: UserActor) {
  takeTurnHere(deps, limits.readUser, actor.id)
  const [user] = await findUser(deps.db, { id: actor.id })
  if (!user) throw refuse.InvalidAccessToken()
  return toUser(deps.config, user)
}

type Form = Omit<Asked<typeof calls.editUser>['body'], 'currentPassword'>

/**
 * A new address of a verified person waits for its verification, and asks for the password first, since it opens the
 * account; a mistyped one is mended at once (decisions A13).
 */
export async function editUser(deps: Deps, actor: UserActor, form: Form, currentPassword?: string) {
  await takeTurn(deps, limits.editUser, actor.id)
  const [before] = await findUser(deps.db, { id: actor.id })
  if (!before) throw refuse.InvalidAccessToken()
  const proven = movesAccount(before, form.email)
    ? await requirePassword(deps, actor, currentPassword, freshSignInMs)
    : null
  try {
    const { saved, fields } = await transaction(deps.db, async (tx) => {
      const [user] = await lockUser(tx, { id: actor.id })
      if (!user) throw refuse.InvalidAccessToken()
      // Verified, or given another password, since it was asked.
      if (movesAccount(user, form.email) && proven?.user.passwordHash !== user.passwordHash)
        throw accountRefusals.ReauthenticationRequired()
      const address = nextAddress(user, form.email)
      if (address.asked && (await isAddressOfOther(tx, { email: address.asked, id: user.id })).length > 0)
        throw taken()
      const [row = user] = await saveProfile(tx, {
        id: user.id,
        firstName: form.firstName ?? user.firstName,
        lastName: form.lastName ?? user.lastName,
        phoneNumber: form.phoneNumber ?? user.phoneNumber,
        email: address.email,
        pendingEmail: address.pending,
      })
      if (address.voidsCodes) await supersedeCodes(tx, user.id, address.voidsCodes)
      if (address.asked) await proveAddress(deps, tx, user, address.asked)
      const changed = profileFields.filter((field) => row[field] !== user[field])
      if (changed.length > 0)
        await recordEvent(tx, {
          userId: user.id,
          actor: 'PERSON',
          event: 'edited',
          fields: changed,
          sessionId: actor.sessionId,
        })
      return { saved: row, fields: changed }
    })
    deps.log.info({ event: 'profile edited', user: actor.id, fields }, 'account')
    return toUser(deps.config, saved)
  } catch (error) {
    if (violated(error) === 'one_account_per_address') throw taken()
    throw error
  }
}

const profileFields = ['firstName', 'lastName', 'phoneNumber', 'email', 'pendingEmail'] as const

/** Whether this address, once proven, would be another way into an account that has proven one. */
const movesAccount = (user: UserRow, typed: string | undefined): boolean =>
  user.verifiedAt !== null && nextAddress(user, typed).asked !== null

/** Nobody is written to without end by typing their address to and fro: counted with what it is counted for, or not at all. */
async function proveAddress(deps: Deps, tx: Db, user: UserRow, address: string): Promise<void> {
  const counted = { ...deps, db: tx }
  await takeTurn(counted, limits.verifyMail, address)
  if (user.verifiedAt) await takeTurn(counted, limits.verifyMail, pendingOf(user.id, address))
  await mailVerification(deps, tx, user.id, address)
  if (user.verifiedAt && user.email)
    await sendMail(deps, tx, user.email, addressChangingLetter(deps.config, address))
}

const taken = () => accountRefusals.RegistrationFailed({ message: accountTexts.profile.failed })

type NextAddress = {
  email: string | null
  pending: string | null
  /** An address that must be proven now. */
  asked: string | null
  voidsCodes: ('verify' | 'reset')[] | null
}

/** What the person's addresses are after they typed this one. */
function nextAddress(
  user: Pick<UserRow, 'email' | 'pendingEmail' | 'verifiedAt'>,
  typed: string | undefined,
): NextAddress {
  const { email, pendingEmail: pending } = user
  if (typed === undefined || typed === pending) return { email, pending, asked: null, voidsCodes: null }
  if (typed === email)
    return { email, pending: null, asked: null, voidsCodes: pending === null ? null : ['verify'] }
  if (user.verifiedAt) return { email, pending: typed, asked: typed, voidsCodes: ['verify'] }
  return { email: typed, pending: null, asked: typed, voidsCodes: ['verify', 'reset'] }
}
