import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isAsset } from '../http/serve-pages.ts'
import type { Metrics } from './metrics.ts'

/** Sign-in endpoints and the kind of account; passed in by `app.ts`. */
export type SignInEndpoints = readonly { call: Endpoint; who: string }[]

/**
 * Counts responses by endpoint or route pattern, never by URL. Open event streams are not counted
 * but have a gauge, because their end is not always detected.
 */
export function countRequests(app: FastifyInstance, metrics: Metrics, signIns: SignInEndpoints): void {
  const accountKinds = new Map(signIns.map(({ call, who }) => [call, who]))
  app.addHook('onResponse', (request, reply, done) => {
    const { call } = request.routeOptions.config
    if (call?.media === eventStream && reply.statusCode === 200) return done()
    metrics.countResponse(routeNameOf(request), reply.statusCode, reply.elapsedTime / 1000)
    const who = call && accountKinds.get(call)
    const because = who && refusalReasons[reply.statusCode]
    if (because) metrics.countRefusedSignIn(who, because)
    done()
  })
}

const eventStream = 'text/event-stream'

const refusalReasons: Record<number, string> = { 401: 'credentials', 429: 'too many tries' }

/** All files count under one name, although each has its own route. */
export function routeNameOf({ routeOptions: { config, url } }: FastifyRequest): string {
  if (config?.call) return config.call.name
  if (url === undefined) return 'page or unknown'
  return isAsset(url) || /\.\w+$/.test(url) ? 'file' : `GET ${url}`
}
