import type { PreloadedResponses } from '@keyturn/contract/shared/pages.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PagePreload } from '../http/serve-pages.ts'

type PreloadOptions = {
  /** Files of the first screen of each page. */
  files: Record<string, readonly string[]>
  /** Endpoint that returns the user, and the further endpoints of that user's first screen. */
  userPath: string
  firstPaths: (userId: string, path: string, query: Record<string, unknown>) => string[]
  position: () => string | undefined
}

/** Time limit for the preloaded data. */
const timeoutMs = 1500

/**
 * Preloads the files of a page's first screen and, with a session, the responses of its first
 * requests (R-everywhere-44). Requests run through this server, so that authorization and limits
 * apply. An expired access token is not renewed: its response might never arrive, and the refresh
 * token would be used up.
 */
export function createPagePreload(
  app: FastifyInstance,
  { files, userPath, firstPaths, position }: PreloadOptions,
) {
  return async (request: FastifyRequest, path: string): Promise<PagePreload> => {
    const pageFiles = files[path] ?? []
    if (!request.headers.cookie) return { files: pageFiles, answers: null, position: undefined }
    // Read before the data; also needed by a client that renews its session first.
    const positionBefore = position()
    return {
      files: pageFiles,
      answers: await withinTimeout(loadAnswers(request, path)),
      position: positionBefore,
    }
  }

  async function loadAnswers(request: FastifyRequest, path: string): Promise<PreloadedResponses | null> {
    const fetch = createRequester(app, request)
    const user = await fetch(userPath)
    if (!user) return null
    const { _id } = user.body as { _id: string }
    const answers: PreloadedResponses = { [userPath]: user }
    await Promise.all(
      firstPaths(_id, path, request.query as Record<string, unknown>).map(async (address) => {
        const first = await fetch(address)
        if (first) answers[address] = first
      }),
    )
    return answers
  }
}

function createRequester(app: FastifyInstance, { headers, socket }: FastifyRequest) {
  const { cookie, 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto, host } = headers
  return async (url: string): Promise<PreloadedResponses[string] | null> => {
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

function withinTimeout<T>(reading: Promise<T>): Promise<T | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, timeoutMs, null).unref())
  return Promise.race([reading, late]).catch(() => null)
}
