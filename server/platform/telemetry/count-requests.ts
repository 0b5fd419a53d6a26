import type { Endpoint } from '@keyturn/contract/shared/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isAsset } from '../http/pages.ts'
import type { Metrics } from './metrics.ts'

/** Which calls sign somebody in, and whom; handed down by `app.ts`. */
export type SignIns = readonly { call: Endpoint; who: string }[]

/**
 * Every answer is counted under its call of the contract, or under the pattern of a route that was registered: never under an
 * address. An open stream is none yet, and how it ends is not always heard: those are told by how many are open.
 */
export function countRequests(app: FastifyInstance, metrics: Metrics, signIns: SignIns): void {
  const whoSignsIn = new Map(signIns.map(({ call, who }) => [call, who]))
  app.addHook('onResponse', (request, reply, done) => {
    const { call } = request.routeOptions.config
    if (call?.media === eventStream && reply.statusCode === 200) return done()
    metrics.answered(nameOf(request), reply.statusCode, reply.elapsedTime / 1000)
    const who = call && whoSignsIn.get(call)
    const because = who && refusedBecause[reply.statusCode]
    if (because) metrics.signInRefused(who, because)
    done()
  })
}

const eventStream = 'text/event-stream'

const refusedBecause: Record<number, string> = { 401: 'credentials', 429: 'too many tries' }

/** Files are one: each of them has a route of its own. */
export function nameOf({ routeOptions: { config, url } }: FastifyRequest): string {
  if (config?.call) return config.call.name
  if (url === undefined) return 'page or unknown'
  return isAsset(url) || /\.\w+$/.test(url) ? 'file' : `GET ${url}`
}
