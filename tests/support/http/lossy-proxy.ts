import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A proxy in front of a server that can silently drop data. */
export type LossyProxy = {
  /** The URL of the server through the proxy. */
  connectionString: string
  /**
   * Drops all data in both directions while every socket stays open: on current connections only,
   * as after a failover behind a silent firewall, or on new ones too.
   */
  drop(which: 'old' | 'all'): void
  /** Delivers requests but drops the responses on current connections. */
  dropResponses(): void
  /** Forwards data on new connections. Silenced connections stay silent. */
  heal(): void
  /** Adds this delay in both directions. */
  delay(ms: number): void
  /** Forwards new connections to another server. */
  retarget(connectionString: string): void
  countForwarding(): number
  close(): Promise<void>
}

export async function startLossyProxy(connectionString: string): Promise<LossyProxy> {
  let target = new URL(connectionString)
  const pace = { delayMs: 0 }
  const connections = new Set<Connection>()
  let dropsNew = false
  const server = createServer((client) => {
    const connection = dropsNew ? dropAll(client) : join(client, target, pace)
    connections.add(connection)
    client.once('close', () => {
      if (connection.requests) connections.delete(connection)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(connectionString)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const each = (change: Partial<Connection>) => {
    for (const connection of connections) Object.assign(connection, change)
  }
  return {
    connectionString: through.href,
    drop(which) {
      dropsNew = which === 'all'
      each({ requests: false, responses: false })
    },
    dropResponses: () => each({ responses: false }),
    heal() {
      dropsNew = false
    },
    delay(ms) {
      pace.delayMs = ms
    },
    retarget(elsewhere) {
      target = new URL(elsewhere)
    },
    countForwarding: () =>
      [...connections].filter(({ requests: asks, responses: answers }) => asks && answers).length,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const { sockets } of connections) for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A connection, and which directions it forwards. */
type Connection = { requests: boolean; responses: boolean; sockets: Socket[] }

function dropAll(client: Socket): Connection {
  client.on('error', () => {}).resume()
  return { requests: false, responses: false, sockets: [client] }
}

function join(client: Socket, target: URL, pace: { delayMs: number }): Connection {
  const database = connect(addressOf(target))
  const connection = { requests: true, responses: true, sockets: [client, database] }
  const forward = (from: Socket, to: Socket, passes: () => boolean) => {
    let waiting: Promise<void> | null = null
    // A chunk must not overtake a delayed one.
    const inOrder = (act: () => void) => {
      if (!waiting && pace.delayMs === 0) return act()
      const due = performance.now() + pace.delayMs
      const turn: Promise<void> = (waiting ?? Promise.resolve())
        .then(() => wait(Math.max(0, due - performance.now())))
        .then(() => {
          act()
          if (waiting === turn) waiting = null
        })
      waiting = turn
    }
    from.on('data', (bytes) =>
      inOrder(() => {
        if (passes()) to.write(bytes)
      }),
    )
    // The end of a silent connection is dropped too.
    from.on('end', () =>
      inOrder(() => {
        if (passes()) to.end()
      }),
    )
    from.on('error', () => {
      if (passes()) to.destroy()
    })
  }
  forward(client, database, () => connection.requests)
  forward(database, client, () => connection.responses)
  return connection
}

/** A percent-encoded folder as host contains PostgreSQL's Unix socket. */
function addressOf({ hostname, port }: URL) {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}
