import { verifyAgreement } from '@keyturn/contract/agreements/verification/endpoints.ts'
import type { AgreementPages, VerifyPage } from '@keyturn/contract/agreements/verify-page.ts'
import type { WithInlineParts } from '@keyturn/contract/shared/pages.ts'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../../deps.ts'
import { toApiError } from '../../../platform/http/error-handlers.ts'
import type { HttpContext } from '../../../platform/http/register-endpoint.ts'
import { pagePolicy, registerPage, sendUncached } from '../../../platform/pages/send-page.ts'
import { readAgreementStatus } from './agreement-status.ts'

/**
 * Registers /verify, which is public (R-deals-78). A number looked up here counts against the limit
 * of the JSON endpoint.
 */
export function registerVerifyPage(
  http: HttpContext,
  deps: Deps,
  { pages }: { pages: WithInlineParts<AgreementPages> },
): void {
  const policy = pagePolicy(pages.inline.verify)
  const address = { url: new URL('/verify', deps.config.publicUrl).href, image: null }
  registerPage(http.app, '/verify', async (request, reply) => {
    const number = readNumber(request)
    if (number !== null) http.checkRateLimit(verifyAgreement, anonymousCaller, request.ip)
    const status = number === null ? null : await readStatus(deps, number)
    return sendUncached(request, reply, policy, pages.verify({ number, status }, address))
  })
}

const anonymousCaller = { user: null, administrator: null }

async function readStatus(deps: Deps, number: string): Promise<VerifyPage['status']> {
  try {
    return await readAgreementStatus(deps, number)
  } catch (error) {
    if (toApiError(error)?.status === 404) return 'unknown'
    throw error
  }
}

/** Tolerates spaces and capitals in a number copied from paper. */
function readNumber({ query }: FastifyRequest): string | null {
  const { agreement } = query as { agreement?: unknown }
  const number = typeof agreement === 'string' ? agreement.replace(/\s/g, '').toLowerCase().slice(0, 64) : ''
  return number === '' ? null : number
}
