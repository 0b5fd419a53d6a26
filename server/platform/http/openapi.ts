import { buildOpenApi, type OpenApiInput } from '@keyturn/contract/openapi/build-openapi.ts'
import type { OpenApiDocument, RateLimitDocs } from '@keyturn/contract/openapi/document.ts'
import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { endpointLimits } from '../rate-limits/endpoint-limits.ts'

/** Returns the document, which is built when it is first asked for: that takes half a second. */
export function lazyOpenApi(input: Omit<OpenApiInput, 'limitsOf'>): () => OpenApiDocument {
  let built: OpenApiDocument | undefined
  return () => {
    built ??= buildOpenApi({ ...input, limitsOf })
    return built
  }
}

export function serveOpenApi(app: FastifyInstance, document: () => OpenApiDocument): void {
  let json: string | undefined
  app.get('/openapi.json', { exposeHeadRoute: false }, async (_request, reply) => {
    json ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(json)
  })
}

const limitsOf = ({ name }: Endpoint): RateLimitDocs[] =>
  (endpointLimits[name] ?? []).map(({ max, withinMs, per }) => ({
    max,
    withinSeconds: withinMs / 1000,
    per: per ?? 'person',
  }))
