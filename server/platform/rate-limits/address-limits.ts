import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { isAsset } from '../http/pages.ts'
import { addressLimits } from './endpoint-limits.ts'
import { consumeLimitInMemory } from './in-memory-limits.ts'
import { networkOf } from './throttles.ts'

type AddressLimit = keyof typeof addressLimits

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit that requests of a route count toward, unless it is that of calls or files. Null: its handler counts, or nobody. */
    countedAs?: AddressLimit | null
  }
  interface FastifyInstance {
    /** Throws `TooManyRequests`. Absent where nothing is limited. */
    takeAddressTurn?: (request: FastifyRequest, limit: AddressLimit) => void
  }
}

/** Tests run several servers in one process, which count apart. */
let servers = 0

/** Keeps one visitor from using up the server; what guards accounts is counted in PostgreSQL. */
export function limitAddresses(app: FastifyInstance, deps: Pick<Deps, 'config'>): void {
  const server = ++servers
  const takeTurn = (request: FastifyRequest, name: AddressLimit) =>
    consumeLimitInMemory(deps, { name: `${name} ${server}`, ...addressLimits[name] }, networkOf(request.ip))
  app.decorate('takeAddressTurn', takeTurn)
  app.addHook('onRequest', (request, _reply, done) => {
    const { url = '', config } = request.routeOptions
    const { countedAs = isAsset(url) ? 'assets' : 'calls' } = config
    // What has no route is a page of the app, which says in HTML how long to wait.
    if (countedAs !== null && !request.is404) takeTurn(request, countedAs)
    done()
  })
}
