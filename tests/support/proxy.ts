import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A proxy in front of a real PostgreSQL that can silently drop data. */
export type LossyNetwork = {
  /** The same database, reached through the proxy. */
  connectionString: string
  /**
   * Drops all data in both directions while every socket stays open: on current connections only,
   * as after a failover behind a silent firewall, or on new ones too.
   */
  swallow(which: 'old' | 'all'): void
  /** Delivers requests but drops the responses on current connections. */
  swallowAnswers(): void
  /** Lets new connections through. Swallowed ones stay silent forever. */
  heal(): void
  /** Adds this delay in both directions. */
  delay(ms: number): void
  /** Sends new connections to another address, to which the database has moved. */
  retarget(connectionString: string): void
  passing(): number
  close(): Promise<void>
}

export async function openProxy(connectionString: string): Promise<LossyNetwork> {
  let target = new URL(connectionString)
  const pace = { delayMs: 0 }
  const links = new Set<Link>()
  let swallowsNew = false
  const server = createServer((client) => {
    const link = swallowsNew ? deadEnd(client) : join(client, target, pace)
    links.add(link)
    client.once('close', () => {
      if (link.asks) links.delete(link)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const through = new URL(connectionString)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const each = (change: Partial<Link>) => {
    for (const link of links) Object.assign(link, change)
  }
  return {
    connectionString: through.href,
    swallow(which) {
      swallowsNew = which === 'all'
      each({ asks: false, answers: false })
    },
    swallowAnswers: () => each({ answers: false }),
    heal() {
      swallowsNew = false
    },
    delay(ms) {
      pace.delayMs = ms
    },
    retarget(elsewhere) {
      target = new URL(elsewhere)
    },
    passing: () => [...links].filter(({ asks, answers }) => asks && answers).length,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const { sockets } of links) for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** One connection, and the directions in which it passes data. */
type Link = { asks: boolean; answers: boolean; sockets: Socket[] }

function deadEnd(client: Socket): Link {
  client.on('error', () => {}).resume()
  return { asks: false, answers: false, sockets: [client] }
}

function join(client: Socket, target: URL, pace: { delayMs: number }): Link {
  const database = connect(addressOf(target))
  const link = { asks: true, answers: true, sockets: [client, database] }
  const carry = (from: Socket, to: Socket, passes: () => boolean) => {
    let waiting: Promise<void> | null = null
    // Chunks stay in order: one sent after the delay must not overtake one that still waits.
    const inTurn = (carryOn: () => void) => {
      if (!waiting && pace.delayMs === 0) return carryOn()
      const due = performance.now() + pace.delayMs
      const turn: Promise<void> = (waiting ?? Promise.resolve())
        .then(() => wait(Math.max(0, due - performance.now())))
        .then(() => {
          carryOn()
          if (waiting === turn) waiting = null
        })
      waiting = turn
    }
    from.on('data', (bytes) =>
      inTurn(() => {
        if (passes()) to.write(bytes)
      }),
    )
    // The end of a swallowed connection is dropped too, so the other side does not notice it.
    from.on('end', () =>
      inTurn(() => {
        if (passes()) to.end()
      }),
    )
    from.on('error', () => {
      if (passes()) to.destroy()
    })
  }
  carry(client, database, () => link.asks)
  carry(database, client, () => link.answers)
  return link
}

/** A percent-encoded folder as host contains PostgreSQL's Unix socket. */
function addressOf({ hostname, port }: URL) {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) }
}
