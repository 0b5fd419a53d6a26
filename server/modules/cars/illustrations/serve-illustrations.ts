import {
  carBodies,
  illustrationAddress,
  illustrationPath,
  paints,
} from '@keyturn/contract/shared/car-illustrations.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { FastifyInstance } from 'fastify'
import { drawIllustration } from './draw-illustration.ts'

/**
 * Serves the illustrations of cars like static assets (R-cars-21). A page of an older version asks
 * for an older name, and gets the current illustration without permanent caching.
 */
export function serveIllustrations(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>(
    illustrationPath,
    { exposeHeadRoute: false, config: { countedAs: 'assets' } },
    async ({ params: { name }, url }, reply) => {
      const [, bodyWord, paintWord] = /^([a-z]+)-([a-z]+)-\d+\.svg$/.exec(name) ?? []
      const body = carBodies.find((one) => one === bodyWord)
      const paint = paints.find((one) => one === paintWord)
      if (!body || !paint) throw apiErrors.NotFound()
      const isCurrent = url === illustrationAddress(body, paint)
      return reply
        .headers({ 'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache' })
        .type('image/svg+xml')
        .send(drawIllustration(body, paint))
    },
  )
}
