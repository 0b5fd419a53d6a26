import { maxSignInAgeMs } from '@keyturn/contract/accounts/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { passkeyRemovedEmail } from '../emails.ts'
import { toPasskey } from '../mappers.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { lockActingPerson } from '../people/lock-person.ts'
import { requirePassword } from '../sessions/step-up.ts'
import { deletePasskey, findOffer, findPasskeys, savePasskeyName } from './passkey-repository.ts'

/** The offer is only for people who typed their password just now and have none (R-accounts-47). */
export async function listPasskeys({ db }: Deps, { id: owner, sessionId }: UserActor) {
  const rows = await findPasskeys(db, { owner })
  const [offer] =
    rows.length > 0 ? [] : await findOffer(db, { owner, sessionId, seconds: maxSignInAgeMs / 1000 })
  return { passkeys: rows.map(toPasskey), isOffered: offer?.isOffered === true }
}

export async function renamePasskey({ db }: Deps, { id: owner }: UserActor, id: string, name: string) {
  const [row] = await savePasskeyName(db, { id, owner, name })
  if (!row) throw apiErrors.NotFound()
  return toPasskey(row)
}

/** Sessions that began with the passkey stay, like those after a sign-in elsewhere. */
export async function removePasskey(
  deps: Deps,
  actor: UserActor,
  id: string,
  currentPassword: string | undefined,
): Promise<void> {
  const { id: userId, sessionId } = actor
  await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
  await transaction(deps.db, async (tx) => {
    const user = await lockActingPerson(tx, actor)
    const [removed] = await deletePasskey(tx, { id, owner: userId })
    if (!removed) throw apiErrors.NotFound()
    await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'passkeyRemoved', sessionId })
    const mail = passkeyRemovedEmail(deps.config, removed.name)
    await enqueueEmail(deps, tx, { id: userId, email: user.email }, mail)
  })
  deps.log.info({ event: 'passkey removed', user: userId }, 'account')
}
