import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { isAsset } from '../http/serve-pages.ts'
import { addressLimits } from './endpoint-limits.ts'
import { consumeLimitInMemory } from './in-memory-limits.ts'
import { networkOf } from './throttles.ts'

type AddressLimit = keyof typeof addressLimits

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Limit of this route; default `assets` or `calls`. Null: the handler counts, or nothing does.
     */
    countedAs?: AddressLimit | null
  }
  interface FastifyInstance {
    /** Throws `TooManyRequests`. Undefined if rate limits are off. */
    consumeAddressLimit?: (request: FastifyRequest, limit: AddressLimit) => void
  }
}

/** Servers in one test process need separate counts. */
let servers = 0

/** Limits requests per address, in memory. Limits of accounts are counted in PostgreSQL. */
export function limitAddresses(app: FastifyInstance, deps: Pick<Deps, 'config'>): void {
  const server = ++servers
  const consume = (request: FastifyRequest, name: AddressLimit) =>
    consumeLimitInMemory(deps, { name: `${name} ${server}`, ...addressLimits[name] }, networkOf(request.ip))
  app.decorate('consumeAddressLimit', consume)
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '', config } = request.routeOptions
    const { countedAs = isAsset(url) ? 'assets' : 'calls' } = config
    // Not counted here: the not-found handler counts these requests as pages, because it can
    // return the 429 as HTML.
    if (countedAs !== null && !request.is404) consume(request, countedAs)
    done()
  })
}
