import pg from 'pg'
import { addressesIn, type DatabaseHost, formatHost, isSameHost } from './hosts.ts'
import { type IdentityCheck, openIdentityCheck, type ServedDatabase } from './identity.ts'
import { openPrimary, type Primary } from './primary.ts'

type ToldParameter = { parameterName: string; parameterValue: string }

/** The servers for a pool's connections and for its dedicated sessions (`beside`). */
type Ways = {
  primary: Primary
  beside: { primary: Primary; config: pg.ClientConfig | null }
  watch: IdentityCheck
}

const ways = new WeakMap<object, Ways>()
const places = new WeakMap<pg.ClientBase, DatabaseHost>()
const doubts = new WeakMap<pg.Pool, () => void>()

/**
 * Returns a pool configuration whose connections all lead to the server that accepts writes.
 * `direct`: the address for sessions when the pool's own address is a transaction pooler's.
 * `served`: the only database to accept.
 */
export function primaryPoolConfig(
  config: pg.PoolConfig,
  { direct, served }: { direct?: pg.ClientConfig | undefined; served?: ServedDatabase | undefined } = {},
): pg.PoolConfig {
  const watch = openIdentityCheck(served)
  const primary = openPrimary(config, watch)
  function made(given: pg.ClientConfig): pg.Client {
    const client = led(new pg.Client(given), primary, watch)
    return direct ? withoutNames(client) : client
  }
  const beside = direct
    ? { primary: openPrimary(direct, watch), config: atFirst(direct) }
    : { primary, config: null }
  ways.set(made, { primary, beside, watch })
  // The pool calls it with `new`, which returns the object that a function returns.
  return { ...atFirst(config), Client: made as unknown as new () => pg.ClientBase }
}

/** The driver can parse only one address. `led` replaces the host of each connection. */
function atFirst<Config extends pg.ClientConfig>(config: Config): Config {
  const [connectionString] = config.connectionString ? addressesIn(config.connectionString) : []
  return { ...config, ...(connectionString && { connectionString }) }
}

/** Opens a dedicated session to the pool's database, outside the pool. It is not replaced. */
export function openSessionClient(pool: pg.Pool, more: pg.ClientConfig = {}): pg.Client {
  const { options } = pool
  const { beside, watch = null } = waysOf(pool) ?? {}
  // The pool makes `password` non-enumerable, so a spread does not copy it.
  const config = beside?.config ?? { ...options, password: options.password }
  const client = new pg.Client({ ...config, ...more })
  if (!beside) return client
  // The pooler may have silently reconnected to another server, so check its connections again.
  if (beside.config) client.once('error', () => doubts.get(pool)?.())
  return led(client, beside.primary, watch)
}

const waysOf = ({ options }: pg.Pool): Ways | undefined => options.Client && ways.get(options.Client)

/** Removes statement names: a pooler may run the next statement in another session. */
function withoutNames(client: pg.Client): pg.Client {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const nameless = (question: unknown, ...more: unknown[]) =>
    query(isNamed(question) ? { ...question, name: undefined } : question, ...more)
  client.query = nameless as pg.Client['query']
  return client
}

const isNamed = (question: unknown): question is pg.QueryConfig =>
  typeof question === 'object' && question !== null && 'name' in question && !('submit' in question)

/** Makes `client` connect only to the host that accepts writes at that time. */
function led(client: pg.Client, primary: Primary, watch: IdentityCheck): pg.Client {
  const { connection } = client
  // The pool listens only after the checks. Until then an unhandled error would end the process.
  client.on('error', () => {})
  const connectThere = client.connect.bind(client) as () => Promise<unknown>
  const told = new Set<string>()
  let place: DatabaseHost | null = null

  connection.on('parameterStatus', ({ parameterName: name, parameterValue: value }: ToldParameter) => {
    if (!reading.includes(name)) return
    if (value === 'on') told.add(name)
    else told.delete(name)
  })
  client.on('notice', ({ routine }: { routine: string | undefined }) => {
    // The next message would acknowledge the commit.
    if (routine === 'SyncRepWaitForLSN') connection.emit('error', committedHereAlone())
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
    places.set(client, Object.assign(client, place))
    try {
      await connectThere()
    } catch (error) {
      primary.leave(place)
      throw error
    }
    try {
      if (told.size > 0)
        throw Object.assign(new Error(`${formatHost(place)} only reads`), { code: readOnlyCode })
      await watch?.check(client, place)
    } catch (error) {
      primary.leave(place)
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

/** Parameters that a server reports unasked when it is a standby or read-only. */
const reading = ['in_hot_standby', 'default_transaction_read_only']
export const readOnlyCode = '25006'

/**
 * The wait for the standby was canceled, so the change is on one machine only. PostgreSQL sends
 * just a warning and then reports success.
 */
const committedHereAlone = () =>
  Object.assign(new Error('It was committed, and no standby has it'), { code: '08007' })

/**
 * Discards connections to a server that became a standby or was lost; the next connection searches
 * for the primary again. After a doubt, discards every connection made before it.
 */
export function closeStandbyConnections(pool: pg.Pool, isLost: (error: unknown) => boolean): void {
  const primary = waysOf(pool)?.primary
  const resting = new Set<pg.PoolClient>()
  let doubted = new WeakSet<pg.PoolClient>()
  const all = new Set<pg.PoolClient>()
  const leave = (client: pg.PoolClient, error: unknown) => {
    const place = places.get(client)
    if (!primary || !place || !isLost(error)) return
    primary.leave(place)
    if ((error as { code?: unknown }).code !== readOnlyCode) return
    for (const other of resting) {
      const there = places.get(other)
      // The pool discards an idle connection on `error`.
      if (there && isSameHost(there, place)) other.emit('error', error)
    }
  }
  doubts.set(pool, () => {
    doubted = new WeakSet(all)
    for (const client of [...resting]) client.emit('error', new Error('It may lead elsewhere by now'))
  })
  pool.on('connect', (client) => void all.add(client))
  pool.on('acquire', (client) => void resting.delete(client))
  pool.on('remove', (client) => {
    resting.delete(client)
    all.delete(client)
  })
  pool.on('release', (error: unknown, client) => {
    if (error) leave(client, error)
    // The pool discards a client that is ending.
    else if (doubted.has(client)) void client.end().catch(() => {})
    else resting.add(client)
  })
  pool.on('error', (error, client) => leave(client, error))
}
