import type { FirstAnswers } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PagePreload } from '../http/pages.ts'

type Given = {
  /** The files of each page's first screen. */
  files: Record<string, readonly string[]>
  /** The call that says who asks, and what else that person's first screen asks. */
  whoAsks: string
  callsAt: (userId: string, path: string, query: Record<string, unknown>) => string[]
  position: () => string | undefined
}

/** A page waits no longer for what it would bring along. */
const patienceMs = 1500

/**
 * For a page of the app: the files of its first screen and, for who has a session, the answers to its first calls
 * (R-everywhere-44). They are asked of this server as the app would ask, so that rights, limits and shapes are theirs. An
 * access that is over brings nothing along: to renew it here would use up a token with an answer that may never arrive.
 */
export function preloadForPage(app: FastifyInstance, { files, whoAsks, callsAt, position }: Given) {
  return async (request: FastifyRequest, path: string): Promise<PagePreload> => {
    const own = files[path] ?? []
    if (!request.headers.cookie) return { files: own, answers: null, position: undefined }
    // Before anything is read; also for who has to renew a session first, and reads after that.
    const begun = position()
    return { files: own, answers: await inTime(answersFor(request, path)), position: begun }
  }

  async function answersFor(request: FastifyRequest, path: string): Promise<FirstAnswers | null> {
    const ask = askerLike(app, request)
    const user = await ask(whoAsks)
    if (!user) return null
    const { _id } = user.body as { _id: string }
    const answers: FirstAnswers = { [whoAsks]: user }
    await Promise.all(
      callsAt(_id, path, request.query as Record<string, unknown>).map(async (address) => {
        const first = await ask(address)
        if (first) answers[address] = first
      }),
    )
    return answers
  }
}

function askerLike(app: FastifyInstance, { headers, socket }: FastifyRequest) {
  const { cookie, 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto, host } = headers
  return async (url: string): Promise<FirstAnswers[string] | null> => {
    const { statusCode, body, headers } = await app.inject({
      url,
      remoteAddress: socket.remoteAddress ?? '',
      headers: {
        ...{ cookie, host, accept: 'application/json', 'x-requested-with': 'app' },
        ...(forwarded && { 'x-forwarded-for': forwarded }),
        ...(proto && { 'x-forwarded-proto': proto }),
      },
    })
    return statusCode === 200
      ? { body: JSON.parse(body), link: typeof headers.link === 'string' ? headers.link : null }
      : null
  }
}

function inTime<T>(reading: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null).unref())
  return Promise.race([reading, late]).catch(() => null)
}
