import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { photoFormats } from '@keyturn/contract/shared/photo-files.ts'
import type { FastifyInstance } from 'fastify'
import type { Pictures } from './pictures.ts'

export const photoPath = '/photos/:photoId/:name'

/**
 * Serves photo files without authorization, like static assets. Responses are cached permanently,
 * because a file never changes (R-cars-25).
 */
export function servePhotos(app: FastifyInstance, { store }: Pictures): void {
  app.get<{ Params: { photoId: string; name: string } }>(
    photoPath,
    { exposeHeadRoute: false, config: { countedAs: 'assets' } },
    async ({ params, headers, log }, reply) => {
      const format = formatOf(params.name)
      if (!format || !/^[0-9a-f]{64}$/.test(params.photoId)) throw apiErrors.NotFound()
      const tag = `"${params.name}"`
      const file = await store.open(params.photoId, params.name).catch((error) => {
        log.error({ err: error }, 'a photo could not be read')
        throw apiErrors.Unavailable()
      })
      if (!file) throw apiErrors.NotFound()
      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: tag })
      if (headers['if-none-match'] === tag) {
        file.bytes.destroy()
        return reply.code(304).send()
      }
      return reply.type(format).header('content-length', file.size).send(file.bytes)
    },
  )
}

function formatOf(name: string): string | null {
  const [, ending = ''] = /^\d{1,4}\.(avif|jpg)$/.exec(name) ?? []
  return ending in photoFormats ? photoFormats[ending as keyof typeof photoFormats] : null
}
