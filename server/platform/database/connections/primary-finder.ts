import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describeError } from '../../../shared/describe-error.ts'
import { type DatabaseHost, formatHost, isSameHost, splitDatabaseAddress } from './database-hosts.ts'
import { differentDatabaseError, type IdentityCheck, isDifferentDatabaseError } from './identity-check.ts'

/** The server that accepts writes. With several hosts, it changes after a failover. */
export type Primary = {
  /** Rejects if none is found within `searchMs`. */
  find(): Promise<DatabaseHost>
  /** Makes the next `find` search again if `place` is the current primary. */
  markLost(place: DatabaseHost): void
  isOneOfSeveral: boolean
}

/** With one address, returns that host unchecked; `primary-clients.ts` rejects a standby there. */
export function createPrimaryFinder(config: pg.ClientConfig, watch: IdentityCheck = null): Primary {
  const addresses = config.connectionString ? splitDatabaseAddress(config.connectionString) : []
  const own = (connectionString: string | undefined) => ({
    ...config,
    ...(connectionString && { connectionString }),
  })
  const [first, ...others] = addresses.map(own)
  const places = [first ?? config, ...others].map((each) => ({ each, place: placeOf(each) }))
  const [only] = places
  if (others.length === 0 && only)
    return { find: async () => only.place, markLost: () => {}, isOneOfSeveral: false }
  let found: DatabaseHost | null = null
  let searching: Promise<DatabaseHost> | null = null

  async function search(): Promise<DatabaseHost> {
    const end = performance.now() + searchMs
    for (;;) {
      try {
        found = await Promise.any(places.map(({ each, place }) => tryHost(each, place, watch)))
        return found
      } catch (error) {
        if (performance.now() > end) throw noPrimaryError(error as AggregateError)
        await wait(pauseMs)
      }
    }
  }

  return {
    isOneOfSeveral: true,
    async find() {
      if (found) return found
      searching ??= search().finally(() => {
        searching = null
      })
      return searching
    },
    markLost(place) {
      if (found && isSameHost(found, place)) found = null
    },
  }
}

/** The sum of these three must be less than the pool's connection timeout. */
const searchMs = 1_000
const tryMs = 700
const pauseMs = 100

/** Lets the driver parse the address; a new client does not connect yet. */
function placeOf(config: pg.ClientConfig): DatabaseHost {
  const { host, port } = new pg.Client(config)
  return { host, port }
}

async function tryHost(
  config: pg.ClientConfig,
  place: DatabaseHost,
  watch: IdentityCheck,
): Promise<DatabaseHost> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: tryMs, query_timeout: tryMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ readsOnly: boolean }>(readOnlyQuery)
    if (rows[0]?.readsOnly) throw new Error('is read-only')
    await watch?.check(client, place)
    return place
  } catch (error) {
    throw new Error(`${formatHost(place)} ${describeError(error)}`, { cause: error })
  } finally {
    void client.end().catch(() => {})
  }
}

const readOnlyQuery = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "readsOnly"`

/** Uses PostgreSQL's code for "cannot connect now", so that it is not logged as a bug. */
function noPrimaryError({ errors }: AggregateError): Error {
  const why = `No host accepts writes: ${errors.map((error: Error) => error.message).join('; ')}`
  const isDifferent = errors.some(({ cause }: Error) => isDifferentDatabaseError(cause))
  return isDifferent ? differentDatabaseError(why) : Object.assign(new Error(why), { code: '57P03' })
}
