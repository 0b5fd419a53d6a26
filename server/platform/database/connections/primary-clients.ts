import pg from 'pg'
import { addressesIn } from './hosts.ts'
import { type IdentityCheck, openIdentityCheck, type ServedDatabase } from './identity.ts'
import { type DatabaseHost, formatHost, isSameHost, openPrimary, type Primary } from './primary.ts'

type ToldParameter = { parameterName: string; parameterValue: string }

/** Where a pool's connections lead, and those that need a session of their own. */
type Ways = {
  primary: Primary
  beside: { primary: Primary; config: pg.ClientConfig | null }
  watch: IdentityCheck
}

const ways = new WeakMap<object, Ways>()
const places = new WeakMap<pg.ClientBase, DatabaseHost>()
const doubts = new WeakMap<pg.Pool, () => void>()

/**
 * What a pool is made with so that each of its connections leads to the server that takes writes. `direct`: this pool's address is
 * a pooler's, which lends a connection for one transaction at a time; sessions are opened here. `served`: no other database will do.
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
  // The pool calls it with `new`, which hands on what a function returns.
  return { ...atFirst(config), Client: made as unknown as new () => pg.ClientBase }
}

/** Of the driver's own places none counts, and it can read one only: `led` tells each connection its own. */
function atFirst<Config extends pg.ClientConfig>(config: Config): Config {
  const [connectionString] = config.connectionString ? addressesIn(config.connectionString) : []
  return { ...config, ...(connectionString && { connectionString }) }
}

/** One more connection beside those of this pool, to the same database, with a session of its own; nobody replaces it. */
export function openSessionClient(pool: pg.Pool, more: pg.ClientConfig = {}): pg.Client {
  const { options } = pool
  const { beside, watch = null } = waysOf(pool) ?? {}
  // The pool hides the password from copying.
  const config = beside?.config ?? { ...options, password: options.password }
  const client = new pg.Client({ ...config, ...more })
  if (!beside) return client
  // What the pooler leads to now has to be looked at anew: it makes its own connections again, and says so to nobody.
  if (beside.config) client.once('error', () => doubts.get(pool)?.())
  return led(client, beside.primary, watch)
}

const waysOf = ({ options }: pg.Pool): Ways | undefined => options.Client && ways.get(options.Client)

/** A statement that one session has prepared is unknown to the next one that a pooler lends. */
function withoutNames(client: pg.Client): pg.Client {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  const nameless = (question: unknown, ...more: unknown[]) =>
    query(isNamed(question) ? { ...question, name: undefined } : question, ...more)
  client.query = nameless as pg.Client['query']
  return client
}

const isNamed = (question: unknown): question is pg.QueryConfig =>
  typeof question === 'object' && question !== null && 'name' in question && !('submit' in question)

/** Connects to whichever host takes writes by then, and to no other one. */
function led(client: pg.Client, primary: Primary, watch: IdentityCheck): pg.Client {
  const { connection } = client
  // The pool listens once it is connected and looked at; before that the end of one would be the end of this process.
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
    // Its next message would acknowledge it.
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
    // Given up meanwhile by whoever waited for it.
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

/** What a server says of itself by itself: that it is a standby, or that it takes no writes for another reason. */
const reading = ['in_hot_standby', 'default_transaction_read_only']
export const readOnlyCode = '25006'

/**
 * Somebody has ended the wait for the standby: the change is on one machine, and gone if that one is. PostgreSQL says so in a
 * warning, and then that all is done.
 */
const committedHereAlone = () =>
  Object.assign(new Error('It was committed, and no standby has it'), { code: '08007' })

/**
 * Connections to a server that has become a standby, or has been left for another, are not used again, and the next one looks
 * anew for the one that takes writes. Neither are those that were made before a doubt.
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
      // The pool lets go of one that breaks while it rests.
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
    // The pool keeps none that is ending.
    else if (doubted.has(client)) void client.end().catch(() => {})
    else resting.add(client)
  })
  pool.on('error', (error, client) => leave(client, error))
}
