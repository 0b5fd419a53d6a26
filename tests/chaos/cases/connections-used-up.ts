import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { whileSelling } from '../case.ts'
import type { Ground } from '../setup.ts'

const heldMs = 3000

/** Other clients use every PostgreSQL connection, and the server's own are terminated. */
export const fullHouse = whileSelling('connections used up', async ({ ground, broken, open, eachRound }) => {
  const { server } = await open()
  await eachRound(async () => {
    await wait(1500)
    const taken = await takeAll(ground)
    const ready = await server.time('/health/ready', 10_000)
    if (ready.status !== 503) broken.push(`ready said ${ready.status} without a connection`)
    await wait(heldMs)
    await Promise.all(taken.map((client) => client.end()))
  })
  await wait(1000)
})

const application = 'a greedy neighbor'

/**
 * Terminates the server's connections and opens new ones until none is left. A terminated
 * connection frees its slot only after it has left pg_stat_activity.
 */
async function takeAll({ databaseUrl }: Ground): Promise<pg.Client[]> {
  const taken: pg.Client[] = []
  for (let most = Number.POSITIVE_INFINITY; taken.length < most; ) {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: application })
    client.on('error', () => {})
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    )
    if (isTaken) {
      taken.push(client)
      continue
    }
    const [first] = taken
    if (!first) throw new Error('PostgreSQL gave no connection at all')
    const { rows } = await first.query<{ most: number }>(
      `select current_setting('max_connections')::int as most, count(pg_terminate_backend(pid)) as ended from pg_stat_activity
       where backend_type = 'client backend' and application_name <> $1`,
      [application],
    )
    most = rows[0]?.most ?? most
  }
  return taken
}
