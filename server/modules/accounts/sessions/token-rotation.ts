import type { RefreshRow } from './session-repository.ts'

/** Two tabs refresh within this time; the second gets an access token and keeps the cookie. */
export const graceSeconds = 30

/**
 * The result of presenting a refresh token (R-accounts-29). `rotate`: issues a child, which
 * replaces a child never presented because its response was lost. `accessOnly`: two tabs refreshed
 * concurrently. `reuse`: somebody has a copy; ends the session. `refuse`: expired.
 */
export type Rotation = 'rotate' | 'accessOnly' | 'reuse' | 'refuse'

export function decideRotation(token: RefreshRow): Rotation {
  if (token.revoked || token.childPresented) return 'reuse'
  if (token.expired) return 'refuse'
  return token.justNow && token.childHash ? 'accessOnly' : 'rotate'
}
