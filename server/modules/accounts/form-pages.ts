import type { AccountFormPages, RegisterPageData } from '@keyturn/contract/accounts/register-page.ts'
import { isPasskeyHost } from '@keyturn/contract/accounts/rules.ts'
import type { WithInlineParts } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import {
  createPageCache,
  pagePolicy,
  registerPage,
  sendCached,
  sendUncached,
} from '../../platform/pages/send-page.ts'

/**
 * Serves /login and /register as HTML (R-everywhere-43). Without a link, everybody gets the same
 * page.
 */
export function registerAccountForms(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  pages: WithInlineParts<AccountFormPages>,
): void {
  const hasPasskeys = isPasskeyHost(publicUrl.hostname)
  const [loginPolicy, registerPolicy] = [pagePolicy(pages.inline.login), pagePolicy(pages.inline.register)]
  const renderOnce = createPageCache()
  registerPage(app, '/login', async (request, reply) =>
    sendCached(request, reply, loginPolicy, await renderOnce('login', () => pages.login({ hasPasskeys }))),
  )
  for (const [path, side] of [
    ['/register', 'selling'],
    ['/register/seller', 'selling'],
    ['/register/buyer', 'buying'],
  ] as const)
    registerPage(app, path, async (request, reply) => {
      const page = { side, link: linkFrom(request) }
      if (page.link.userId || page.link.vin)
        return sendUncached(request, reply, registerPolicy, pages.register(page))
      return sendCached(request, reply, registerPolicy, await renderOnce(side, () => pages.register(page)))
    })
}

/** Returns the input unvalidated: the form shows what is wrong with it. */
function linkFrom({ query }: FastifyRequest): RegisterPageData['link'] {
  const { userId, vin } = query as Record<string, unknown>
  return { userId: textFrom(userId), vin: textFrom(vin) }
}

const textFrom = (given: unknown): string => (typeof given === 'string' ? given.slice(0, 64) : '')
