import type { CommonPages, LandingPage, WithInline } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { FindSessions, UserActor } from '../http/authorization.ts'
import { toApiError } from '../http/errors.ts'
import { readTestimonials } from '../http/testimonials.ts'
import { answerPage, keepEach, policyFor, sendKept, sendOnce } from './send-page.ts'

type Given = {
  config: Config
  pages: WithInline<CommonPages>
  findSessions: FindSessions
  /** Path of the start page of a signed-in user. */
  homeOf: (user: UserActor) => Promise<string>
}

/** Registers the landing page, the privacy policy and the terms. Each variant is rendered once. */
export function registerCommonPages(
  app: FastifyInstance,
  { config, pages, findSessions, homeOf }: Given,
): void {
  const policy = policyFor(pages.inline.landing)
  const address = { url: new URL('/', config.publicUrl).href, image: null }
  // Testimonials may change while the server runs.
  const once = keepEach()

  /** Shows the page for visitors if the session cannot be read. */
  async function homeFor(request: FastifyRequest): Promise<string | null> {
    try {
      const { user } = await findSessions(request, { user: true, administrator: false })
      return user && (await homeOf(user))
    } catch (fault) {
      if (toApiError(fault)?.status !== 503) throw fault
      return null
    }
  }

  answerPage(app, '/', async (request, reply) => {
    const home = await homeFor(request)
    const page: LandingPage = {
      ...linkIn(request),
      home,
      testimonials: await readTestimonials(config, request.log),
    }
    if (page.link.userId || page.link.vin)
      return sendOnce(request, reply, policy, pages.landing(page, address))
    const answer = await once(JSON.stringify(page), () => pages.landing(page, address))
    return sendKept(request, reply, policy, answer, home !== null)
  })
  for (const [path, name] of [
    ['/privacy', 'privacy'],
    ['/tos', 'terms'],
  ] as const) {
    const policyOfWords = policyFor(pages.inline[name])
    answerPage(app, path, async (request, reply) =>
      sendKept(request, reply, policyOfWords, await once(name, pages[name])),
    )
  }
  // The contact form is a section of the landing page.
  answerPage(app, '/contact', async (_request, reply) => reply.redirect('/#contact', 302))
}

/**
 * A complete link means that the visitor wants to buy. An incomplete one is passed on, and the form
 * shows the error.
 */
function linkIn({ query }: FastifyRequest): Pick<LandingPage, 'link' | 'side'> {
  const { userId, vin } = query as Record<string, unknown>
  const link = { userId: wordIn(userId), vin: wordIn(vin) }
  return { link, side: link.userId && link.vin ? 'buying' : 'selling' }
}

const wordIn = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given.slice(0, 64) : undefined
