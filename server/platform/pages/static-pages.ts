import type { OpenApiDocument } from '@keyturn/contract/openapi/document.ts'
import type { LandingPageData, StaticPages, WithInlineParts } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { countCreditStates } from '../../integrations/sales-tax/tax-rates.ts'
import type { FindSessions, ScopedActor } from '../http/authorization.ts'
import { toApiError } from '../http/error-handlers.ts'
import { readTestimonials } from '../http/testimonials.ts'
import { createPageCache, pagePolicy, registerPage, sendCached, sendUncached } from './send-page.ts'

type CommonPagesOptions = {
  config: Config
  pages: WithInlineParts<StaticPages>
  findSessions: FindSessions
  /** Path of the start page of a signed-in user. */
  homeOf: (user: ScopedActor) => Promise<string>
  openApi: () => OpenApiDocument
}

/** Registers the landing page, the legal texts and the page for developers. Each variant is rendered once. */
export function registerStaticPages(
  app: FastifyInstance,
  { config, pages, findSessions, homeOf, openApi }: CommonPagesOptions,
): void {
  const policy = pagePolicy(pages.inline.landing)
  const address = { url: new URL('/', config.publicUrl).href, image: null }
  const creditStates = countCreditStates()
  // Testimonials may change while the server runs.
  const renderOnce = createPageCache()

  /** Shows the page for visitors if the session cannot be read. */
  async function findHome(request: FastifyRequest): Promise<string | null> {
    try {
      const { user } = await findSessions(request, { user: true, administrator: false })
      return user && (await homeOf(user))
    } catch (fault) {
      if (toApiError(fault)?.status !== 503) throw fault
      return null
    }
  }

  registerPage(app, '/', async (request, reply) => {
    const home = await findHome(request)
    const page: LandingPageData = {
      ...linkFrom(request),
      home,
      agreement: config.legalTexts?.agreement ?? null,
      creditStates,
      contactAddress: config.contactAddress,
      testimonials: await readTestimonials(config, request.log),
    }
    if (page.link.userId || page.link.vin)
      return sendUncached(request, reply, policy, pages.landing(page, address))
    const answer = await renderOnce(JSON.stringify(page), () => pages.landing(page, address))
    return sendCached(request, reply, policy, answer, home !== null)
  })
  for (const [path, name] of [
    ['/privacy', 'privacy'],
    ['/tos', 'terms'],
  ] as const) {
    const textPolicy = pagePolicy(pages.inline[name])
    registerPage(app, path, async (request, reply) =>
      sendCached(
        request,
        reply,
        textPolicy,
        await renderOnce(name, () => pages[name](config.legalTexts?.[name] ?? null)),
      ),
    )
  }
  const developersPolicy = pagePolicy(pages.inline.developers)
  registerPage(app, '/developers', async (request, reply) =>
    sendCached(
      request,
      reply,
      developersPolicy,
      await renderOnce('developers', () => pages.developers(openApi())),
    ),
  )
  // The contact form is a section of the landing page.
  registerPage(app, '/contact', async (_request, reply) => reply.redirect('/#contact', 302))
}

/** A complete link makes the visitor a buyer; the form shows the error of an incomplete one. */
function linkFrom({ query }: FastifyRequest): Pick<LandingPageData, 'link' | 'side'> {
  const { userId, vin } = query as Record<string, unknown>
  const link = { userId: textFrom(userId), vin: textFrom(vin) }
  return { link, side: link.userId && link.vin ? 'buying' : 'selling' }
}

const textFrom = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 64) : undefined
