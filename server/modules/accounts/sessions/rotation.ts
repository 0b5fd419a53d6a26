import type { RefreshRow } from './session-repository.ts'

/** Two tabs that refresh at once differ by less than this; the second gets an access token and keeps the cookie. */
export const graceSeconds = 30

/**
 * What a presented refresh token leads to (R-accounts-29).
 * `rotate`: a child is made; it takes the place of one that was never presented, because that answer was lost.
 * `accessOnly`: two tabs at once. `reuse`: somebody holds a copy, the whole session ends. `refuse`: too late.
 */
export type Rotation = 'rotate' | 'accessOnly' | 'reuse' | 'refuse'

export function rotationOf(token: RefreshRow): Rotation {
  if (token.revoked || token.childPresented) return 'reuse'
  if (token.expired) return 'refuse'
  return token.justNow && token.childHash ? 'accessOnly' : 'rotate'
}
