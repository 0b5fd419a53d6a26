import pg from 'pg'
import { type DatabaseHost, formatHost, isSameHost, splitDatabaseAddress } from './database-hosts.ts'
import { createIdentityCheck, type IdentityCheck, type ServedDatabase } from './identity-check.ts'
import { createPrimaryFinder, type Primary } from './primary-finder.ts'

type ParameterStatus = { parameterName: string; parameterValue: string }

/** The servers for a pool's connections and for its dedicated sessions (`sessions`). */
type Routes = {
  primary: Primary
  sessions: { primary: Primary; config: pg.ClientConfig | null }
  watch: IdentityCheck
}

const routes = new WeakMap<object, Routes>()
const hosts = new WeakMap<pg.ClientBase, DatabaseHost>()
const rechecks = new WeakMap<pg.Pool, () => void>()

/**
 * Returns a pool configuration whose connections all lead to the server that accepts writes.
 * `direct`: the address for sessions when the pool's own address is a transaction pooler's.
 * `served`: the only database to accept. `isStandby`: they lead to a standby instead.
 */
export function primaryPoolConfig(
  config: pg.PoolConfig,
  {
    direct,
    served,
    isStandby = false,
  }: {
    direct?: pg.ClientConfig | undefined
    served?: ServedDatabase | undefined
    isStandby?: boolean
  } = {},
): pg.PoolConfig {
  const watch = createIdentityCheck(served)
  const primary = createPrimaryFinder(config, watch)
  function createClient(given: pg.ClientConfig): pg.Client {
    const client = followPrimary(new pg.Client(given), primary, watch, isStandby)
    return direct ? withoutNames(client) : client
  }
  const sessions = direct
    ? { primary: createPrimaryFinder(direct, watch), config: withFirstHost(direct) }
    : { primary, config: null }
  routes.set(createClient, { primary, sessions, watch })
  // The pool calls it with `new`, which returns the object that a function returns.
  return { ...withFirstHost(config), Client: createClient as unknown as new () => pg.ClientBase }
}

/** The driver can parse only one address. `followPrimary` replaces the host of each connection. */
function withFirstHost<Config extends pg.ClientConfig>(config: Config): Config {
  const [connectionString] = config.connectionString ? splitDatabaseAddress(config.connectionString) : []
  return { ...config, ...(connectionString && { connectionString }) }
}

/**
 * Opens a dedicated session to the pool's database, outside the pool. A broken session is not
 * replaced.
 */
export function openSessionClient(pool: pg.Pool, more: pg.ClientConfig = {}): pg.Client {
  const { options } = pool
  const { sessions, watch = null } = routesOf(pool) ?? {}
  // The pool makes `password` non-enumerable, so a spread does not copy it.
  const config = sessions?.config ?? { ...options, password: options.password }
  const client = new pg.Client({ ...config, ...more })
  if (!sessions) return client
  // The pooler may have silently reconnected to another server, so check its connections again.
  if (sessions.config) client.once('error', () => rechecks.get(pool)?.())
  return followPrimary(client, sessions.primary, watch)
}

const routesOf = ({ options }: pg.Pool): Routes | undefined => options.Client && routes.get(options.Client)

/** Removes statement names: a pooler may run the next statement in another session. */
function withoutNames(client: pg.Client): pg.Client {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const nameless = (statement: unknown, ...more: unknown[]) =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...more)
  client.query = nameless as pg.Client['query']
  return client
}

const isNamed = (statement: unknown): statement is pg.QueryConfig =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)

/** Makes `client` connect only to the host that accepts writes at that time, or only to a standby. */
function followPrimary(
  client: pg.Client,
  primary: Primary,
  watch: IdentityCheck,
  isStandby = false,
): pg.Client {
  const { connection } = client
  // The pool listens only after the checks. Until then an unhandled error would end the process.
  client.on('error', () => {})
  const connectThere = client.connect.bind(client) as () => Promise<unknown>
  const readOnlyParameters = new Set<string>()
  let place: DatabaseHost | null = null

  connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }: ParameterStatus) => {
    if (!watchedParameters.includes(name)) return
    if (value === 'on') readOnlyParameters.add(name)
    else readOnlyParameters.delete(name)
  })
  client.on('notice', ({ routine }: { routine: string | undefined }) => {
    // The next message would acknowledge the commit.
    if (routine === 'SyncRepWaitForLSN') connection.emit('error', committedLocallyError())
  })

  async function connect(): Promise<pg.Client> {
    try {
      await connectToPrimary()
    } catch (error) {
      watch?.ended(error)
      throw error
    }
    watch?.ended(null)
    return client
  }

  async function connectToPrimary(): Promise<void> {
    place = await primary.find()
    // The pool has timed out and destroyed the connection.
    if (connection.stream.destroyed) throw new Error('timeout expired')
    hosts.set(client, Object.assign(client, place))
    try {
      await connectThere()
    } catch (error) {
      primary.markLost(place)
      throw error
    }
    try {
      if (isStandby && !readOnlyParameters.has('in_hot_standby'))
        throw new Error(`${formatHost(place)} is not a standby`)
      if (!isStandby && readOnlyParameters.size > 0)
        throw Object.assign(new Error(`${formatHost(place)} is read-only`), { code: readOnlyCode })
      await watch?.check(client, place)
    } catch (error) {
      primary.markLost(place)
      void client.end().catch(() => {})
      throw error
    }
  }
  client.connect = ((callback?: (error: Error | null, client?: pg.Client) => void) =>
    callback
      ? void connect().then(() => callback(null, client), callback)
      : connect()) as pg.Client['connect']
  return client
}

/** Parameters that a server reports by itself when it is a standby or read-only. */
const watchedParameters = ['in_hot_standby', 'default_transaction_read_only']
export const readOnlyCode = '25006'

/**
 * The wait for the standby was canceled, so the change is on one machine only. PostgreSQL sends
 * just a warning and then reports success.
 */
const committedLocallyError = () =>
  Object.assign(new Error('It was committed, and no standby has it'), { code: '08007' })

/**
 * Discards connections to a server that became a standby or was lost; the next connection searches
 * for the primary again. A recheck discards every connection that exists at that time.
 */
export function closeStandbyConnections(pool: pg.Pool, isLost: (error: unknown) => boolean): void {
  const primary = routesOf(pool)?.primary
  const idle = new Set<pg.PoolClient>()
  let suspect = new WeakSet<pg.PoolClient>()
  const all = new Set<pg.PoolClient>()
  const reportLoss = (client: pg.PoolClient, error: unknown) => {
    const place = hosts.get(client)
    if (!primary || !place || !isLost(error)) return
    primary.markLost(place)
    if ((error as { code?: unknown }).code !== readOnlyCode) return
    for (const other of idle) {
      const otherHost = hosts.get(other)
      // The pool discards an idle connection on `error`.
      if (otherHost && isSameHost(otherHost, place)) other.emit('error', error)
    }
  }
  rechecks.set(pool, () => {
    suspect = new WeakSet(all)
    for (const client of [...idle]) client.emit('error', new Error('It may lead to another server by now'))
  })
  pool.on('connect', (client) => void all.add(client))
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('remove', (client) => {
    idle.delete(client)
    all.delete(client)
  })
  pool.on('release', (error: unknown, client) => {
    if (error) reportLoss(client, error)
    // The pool discards a client that is ending.
    else if (suspect.has(client)) void client.end().catch(() => {})
    else idle.add(client)
  })
  pool.on('error', (error, client) => reportLoss(client, error))
}
