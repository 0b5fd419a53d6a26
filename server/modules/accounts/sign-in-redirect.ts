import { isProtectedPage, returnToParam } from '@keyturn/contract/shared/pages.ts'
import { normalizeVin } from '@keyturn/contract/shared/vin.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hasNoSession } from './sessions/cookies.ts'

/**
 * Returns the sign-in URL for a visitor without a session on a page that requires one, so that the
 * app does not have to be loaded (R-accounts-24); null otherwise. When the cookies are
 * inconclusive, the app's own guard (`web/auth/session.tsx`) decides and redirects to the same
 * pages.
 */
export const signInRedirectFor =
  (deps: Deps) =>
  (request: FastifyRequest, path: string): string | null =>
    isProtectedPage(path) && hasNoSession(deps, request) ? signInUrl(request) : null

function signInUrl({ url, query }: FastifyRequest): string {
  const { userId, vin } = query as Record<string, unknown>
  const returnTo = { [returnToParam]: url }
  if (typeof vin !== 'string' || typeof userId !== 'string' || !/^[0-9a-f]{24}$/.test(userId) || !vin.trim())
    return `/login?${new URLSearchParams(returnTo)}`
  return `/buy-this-car?${new URLSearchParams({ userId, vin: normalizeVin(vin).slice(0, 64), ...returnTo })}`
}
