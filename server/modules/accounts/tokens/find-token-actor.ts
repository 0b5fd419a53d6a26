import { tokenUseEveryMs } from '@keyturn/contract/accounts/rules.ts'
import type { Scope } from '@keyturn/contract/shared/endpoint.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import type { ScopedActor } from '../../../platform/http/authorization.ts'
import { networkOf } from '../../../platform/rate-limits/throttles.ts'
import { hashToken } from '../sessions/cookies.ts'
import { isTokenText } from './token-format.ts'
import { findTokenOwner, storeTokenUse } from './token-repository.ts'

/**
 * Returns the owner of an active token that has the scope (R-accounts-69). Throws `InvalidToken` and
 * `InsufficientScope`. One query, as for a session.
 */
export async function findTokenActor(
  deps: Deps,
  token: string,
  scope: Scope,
  ip: string,
): Promise<ScopedActor> {
  if (!isTokenText(token)) throw apiErrors.InvalidToken()
  const useEveryMs = tokenUseEveryMs
  const [found] = await findTokenOwner(deps.db, { hash: hashToken(token), useEveryMs })
  if (!found) throw apiErrors.InvalidToken()
  const { tokenId, scopes, isUseDue, ...person } = found
  if (!scopes.includes(scope))
    throw apiErrors.InsufficientScope({ message: `This access token lacks the scope ${scope}.` })
  if (isUseDue) await storeUse(deps, tokenId, ip)
  return { ...person, sessionId: null, wholesaler: false }
}

/** A request must not fail because its use cannot be stored, for example on a full disk. */
async function storeUse(deps: Deps, id: string, ip: string): Promise<void> {
  try {
    await storeTokenUse(deps.db, { id, network: networkOf(ip), useEveryMs: tokenUseEveryMs })
  } catch (fault) {
    deps.log.warn({ err: fault, token: id }, 'the use of a token could not be stored')
  }
}
