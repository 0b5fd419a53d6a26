import type * as calls from '@keyturn/contract/accounts/calls.ts'
import { accountRefusals, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { Asked } from '@keyturn/contract/kit/call.ts'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { transaction, violated } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { UserActor } from '../http/who.ts'
import { supersedeCodes } from './code-store.ts'
import { mailVerification } from './codes.ts'
import { addressChangingLetter } from './letters.ts'
import { sendMail } from './mails.ts'
import { findUser, isAddressOfOther, lockUser, saveProfile } from './store.ts'
import type { UserRow } from './tables.ts'
import { limits, takeTurn } from './throttles.ts'
import { toUser } from './wire.ts'

export async function readUser(deps: Deps, actor: UserActor) {
  const [user] = await findUser(deps.db, { id: actor.id })
  if (!user) throw refuse.InvalidAccessToken()
  return toUser(deps.config, user)
}

type Form = Asked<typeof calls.editUser>['body']

/** A new address of a verified person waits for its verification; a mistyped one is mended at once (decisions A13). */
export async function editUser(deps: Deps, actor: UserActor, form: Form) {
  await takeTurn(deps, limits.editUser, actor.id)
  try {
    return await transaction(deps.db, async (tx) => {
      const [user] = await lockUser(tx, { id: actor.id })
      if (!user) throw refuse.InvalidAccessToken()
      const address = nextAddress(user, form.email)
      if (address.asked && (await isAddressOfOther(tx, { email: address.asked, id: user.id })).length > 0)
        throw taken()
      const [saved] = await saveProfile(tx, {
        id: user.id,
        firstName: form.firstName ?? user.firstName,
        lastName: form.lastName ?? user.lastName,
        phoneNumber: form.phoneNumber ?? user.phoneNumber,
        email: address.email,
        pendingEmail: address.pending,
      })
      if (address.voidsCodes) await supersedeCodes(tx, user.id, address.voidsCodes)
      if (address.asked) await mailVerification(deps, tx, user.id, address.asked)
      if (address.asked && user.verifiedAt && user.email)
        await sendMail(deps, tx, user.email, addressChangingLetter(deps.config, address.asked))
      deps.log.info({ event: 'profile edited', user: user.id, fields: Object.keys(form) }, 'account')
      return toUser(deps.config, saved ?? user)
    })
  } catch (error) {
    if (violated(error) === 'one_account_per_address') throw taken()
    throw error
  }
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
