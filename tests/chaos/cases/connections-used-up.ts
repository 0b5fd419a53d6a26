import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { defineCase } from '../case.ts'
import type { Environment } from '../setup.ts'

const heldMs = 3000

/** Other clients use every PostgreSQL connection, and those of the server are terminated. */
export const connectionsUsedUp = defineCase(
  'connections used up',
  async ({ environment, violations, open, eachRound }) => {
    const { server } = await open()
    await eachRound(async () => {
      await wait(1500)
      const clients = await occupyAll(environment)
      const ready = await server.measure('/health/ready', 10_000)
      if (ready.status !== 503) violations.push(`ready said ${ready.status} without a connection`)
      await wait(heldMs)
      await Promise.all(clients.map((client) => client.end()))
    })
    await wait(1000)
  },
)

const application = 'connection hog'

/**
 * Terminates the server's connections and opens new ones until none is left. A terminated
 * connection frees its slot only after it has left pg_stat_activity.
 */
async function occupyAll({ databaseUrl }: Environment): Promise<pg.Client[]> {
  const clients: pg.Client[] = []
  for (let max = Number.POSITIVE_INFINITY; clients.length < max; ) {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: application })
    client.on('error', () => {})
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    if (isConnected) {
      clients.push(client)
      continue
    }
    const [first] = clients
    if (!first) throw new Error('PostgreSQL accepted no connection')
    const { rows } = await first.query<{ max: number }>(
      `select current_setting('max_connections')::int as max, count(pg_terminate_backend(pid)) as ended from pg_stat_activity
       where backend_type = 'client backend' and application_name <> $1`,
      [application],
    )
    max = rows[0]?.max ?? max
  }
  return clients
}
