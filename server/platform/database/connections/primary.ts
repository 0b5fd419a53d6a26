import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { reasonOf } from '../../../shared/reason-of.ts'
import { addressesIn, type DatabaseHost, formatHost, isSameHost } from './hosts.ts'
import { differentDatabaseError, type IdentityCheck, isDifferentDatabaseError } from './identity.ts'

/** The server that accepts writes. With several hosts, it changes after a failover. */
export type Primary = {
  /** Rejects if none is found within `seekMs`. */
  find(): Promise<DatabaseHost>
  /** Makes the next `find` search again if `place` is the current primary. */
  leave(place: DatabaseHost): void
  isOneOfSeveral: boolean
}

/** With one address, returns that host unchecked; `primary-clients.ts` rejects a standby there. */
export function openPrimary(config: pg.ClientConfig, watch: IdentityCheck = null): Primary {
  const addresses = config.connectionString ? addressesIn(config.connectionString) : []
  const own = (connectionString: string | undefined) => ({
    ...config,
    ...(connectionString && { connectionString }),
  })
  const [first, ...others] = addresses.map(own)
  const places = [first ?? config, ...others].map((each) => ({ each, place: placeOf(each) }))
  const [only] = places
  if (others.length === 0 && only)
    return { find: async () => only.place, leave: () => {}, isOneOfSeveral: false }
  let found: DatabaseHost | null = null
  let seeking: Promise<DatabaseHost> | null = null

  async function seek(): Promise<DatabaseHost> {
    const end = performance.now() + seekMs
    for (;;) {
      try {
        found = await Promise.any(places.map(({ each, place }) => tried(each, place, watch)))
        return found
      } catch (error) {
        if (performance.now() > end) throw nobody(error as AggregateError)
        await wait(pauseMs)
      }
    }
  }

  return {
    isOneOfSeveral: true,
    async find() {
      if (found) return found
      seeking ??= seek().finally(() => {
        seeking = null
      })
      return seeking
    },
    leave(place) {
      if (found && isSameHost(found, place)) found = null
    },
  }
}

/** The sum must be less than the pool's connection timeout. */
const seekMs = 1_000
const tryMs = 700
const pauseMs = 100

/** Lets the driver parse the address; a new client does not connect yet. */
function placeOf(config: pg.ClientConfig): DatabaseHost {
  const { host, port } = new pg.Client(config)
  return { host, port }
}

async function tried(
  config: pg.ClientConfig,
  place: DatabaseHost,
  watch: IdentityCheck,
): Promise<DatabaseHost> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: tryMs, query_timeout: tryMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ readsOnly: boolean }>(asksWhether)
    if (rows[0]?.readsOnly) throw new Error('only reads')
    await watch?.check(client, place)
    return place
  } catch (error) {
    throw new Error(`${formatHost(place)} ${reasonOf(error)}`, { cause: error })
  } finally {
    void client.end().catch(() => {})
  }
}

const asksWhether = `select pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "readsOnly"`

/** Uses PostgreSQL's code for "cannot connect now", so that it is not logged as a bug. */
function nobody({ errors }: AggregateError): Error {
  const why = `No host takes writes: ${errors.map((error: Error) => error.message).join('; ')}`
  const isElsewhere = errors.some(({ cause }: Error) => isDifferentDatabaseError(cause))
  return isElsewhere ? differentDatabaseError(why) : Object.assign(new Error(why), { code: '57P03' })
}
