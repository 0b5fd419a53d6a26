import { isGatedPage, wantedParam } from '@keyturn/contract/shared/pages.ts'
import { normalizeVin } from '@keyturn/contract/shared/vin.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hasNoSession } from './sessions/cookies.ts'

/**
 * Where a stranger who opens a page behind the gate is sent, so that they need not load the app to be told
 * (R-accounts-24); null for everybody else. The gate of the app (`web/auth/session.tsx`) still decides where the cookies do
 * not tell, and sends people to the same places.
 */
export const gateFor =
  (deps: Deps) =>
  (request: FastifyRequest, path: string): string | null =>
    isGatedPage(path) && hasNoSession(deps, request) ? wayIn(request) : null

function wayIn({ url, query }: FastifyRequest): string {
  const { userId, vin } = query as Record<string, unknown>
  const wanted = { [wantedParam]: url }
  if (typeof vin !== 'string' || typeof userId !== 'string' || !/^[0-9a-f]{24}$/.test(userId) || !vin.trim())
    return `/login?${new URLSearchParams(wanted)}`
  return `/buy-this-car?${new URLSearchParams({ userId, vin: normalizeVin(vin).slice(0, 64), ...wanted })}`
}
