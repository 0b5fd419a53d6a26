import { maxSignInAgeMs, maxTokens } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import type * as calls from '@keyturn/contract/accounts/tokens.ts'
import type { PersonalToken } from '@keyturn/contract/accounts/tokens.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { newOwnedId } from '../../../platform/database/new-id.ts'
import { transaction } from '../../../platform/database/open-database.ts'
import type { RowOf } from '../../../platform/database/prepare-query.ts'
import type { UserActor } from '../../../platform/http/authorization.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { tokenCreatedEmail } from '../emails.ts'
import { recordAccountEvent } from '../people/account-events.ts'
import { lockActingPerson } from '../people/lock-person.ts'
import { hashToken } from '../sessions/cookies.ts'
import { requirePassword } from '../sessions/step-up.ts'
import { createTokenText, startOf } from './token-format.ts'
import { countActiveTokens, findTokensOf, insertToken, revokeTokenOf } from './token-repository.ts'

export async function listTokens(deps: Deps, { id }: UserActor): Promise<PersonalToken[]> {
  return (await findTokensOf(deps.db, { userId: id })).map(toToken)
}

type Form = EndpointInput<typeof calls.createToken>['body']

/**
 * Creates a token for a person who has just signed in or typed the password, and emails them. The
 * returned text is stored nowhere (R-accounts-68).
 */
export async function createToken(
  deps: Deps,
  actor: UserActor,
  { name, scopes, days, currentPassword }: Form,
): Promise<{ token: string; created: PersonalToken }> {
  const proof = await requirePassword(deps, actor, currentPassword, maxSignInAgeMs)
  const token = createTokenText()
  const created = await transaction(deps.db, async (tx) => {
    const user = await lockActingPerson(tx, actor)
    if (user.passwordHash !== proof.user.passwordHash) throw accountErrors.ReauthenticationRequired()
    const [{ active } = { active: 0 }] = await countActiveTokens(tx, { userId: user.id })
    if (active >= maxTokens) throw accountErrors.TooManyTokens()
    const [row] = await insertToken(tx, {
      id: newOwnedId(user.id),
      userId: user.id,
      name,
      hash: hashToken(token),
      start: startOf(token),
      scopes: [...new Set(scopes)],
      days,
    })
    if (!row) throw new Error('the token was not inserted')
    const { id: userId, sessionId } = actor
    const fields = row.scopes
    await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'tokenCreated', fields, sessionId })
    await enqueueEmail(deps, tx, { id: user.id, email: user.email }, tokenCreatedEmail(deps.config, name))
    return row
  })
  deps.log.info({ event: 'token created', user: actor.id, token: created.id }, 'account')
  return { token, created: toToken(created) }
}

export async function revokeToken(deps: Deps, actor: UserActor, id: string): Promise<{ ok: true }> {
  const { id: userId, sessionId } = actor
  await transaction(deps.db, async (tx) => {
    const [revoked] = await revokeTokenOf(tx, { id, userId })
    if (!revoked) throw apiErrors.NotFound()
    const fields = revoked.scopes
    await recordAccountEvent(tx, { userId, actor: 'PERSON', event: 'tokenRevoked', fields, sessionId })
  })
  deps.log.info({ event: 'token revoked', user: userId, token: id }, 'account')
  return { ok: true }
}

const toToken = ({ id, createdAt, expiresAt, lastUsedAt, ...row }: Row): PersonalToken => ({
  ...row,
  _id: id,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
type Row = RowOf<typeof findTokensOf>
