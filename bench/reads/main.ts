import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgresServer } from '../../tests/cluster/postgres-server.ts'
import { median } from '../database.ts'
import { connections, type Figures, load, type NextRequest, readCar, setPrice } from '../load.ts'
import { createPeople, type Person } from '../people.ts'
import { type ServerProcess, startProcess, usageOf } from '../server-process.ts'

// `npm run bench:reads`: a server on a primary alone, and one on the same primary with a standby in
// DATABASE_READ_URL.

const rounds = 5
const seconds = 3

const clusters = ['one node', 'two nodes'] as const
type Cluster = (typeof clusters)[number]
/** `primaryMicros`: CPU time of the primary's connections for one request. */
type Round = Figures & { primaryMicros: number }

const endpoints: Record<string, NextRequest> = {
  'public car': readCar,
  dashboard: (people, connection) => ({
    method: 'GET',
    path: `/cars/${people[connection]?.id}`,
    headers: { accept: 'application/json', cookie: people[connection]?.cookie ?? '' },
  }),
  'price, 16 cars': (people, connection) => setPrice(people[connection]),
}

const ends: (() => void | Promise<void>)[] = []
try {
  const settings = { fsync: 'on', shared_buffers: '128MB' }
  const primary = await startPostgresServer(settings, (end) => void ends.push(end))
  const people = await createPeople(primary.url, 2_000)
  const standby = await primary.standby('second', settings)
  const running: Record<Cluster, ServerProcess> = {
    'one node': await startServer(primary, people, {}),
    'two nodes': await startServer(primary, people, { DATABASE_READ_URL: standby.url }),
  }
  console.log(report(await measure(running, primary, people)))
} finally {
  for (const end of ends.reverse()) await end()
}
process.exit(0)

async function startServer(
  primary: PostgresServer,
  [person]: readonly Person[],
  more: Record<string, string>,
): Promise<ServerProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = await startProcess(['dist/server/main.js'], `/cars/public/${person?.id}/${person?.vin}`, {
    DATABASE_URL: primary.url,
    DATA_DIR: dataDir,
    SESSION_SECRET: 'what both servers of this database share',
    ADMIN_PASSWORD: 'a long enough password',
    RATE_LIMITS: 'off',
    DEMO: '0',
    LOG_LEVEL: 'warn',
    ...more,
  })
  ends.push(server.stop)
  return server
}

type Measured = Map<string, Record<Cluster, Round>[]>

/** Alternates, so that other load affects both equally. The first round warms up. */
async function measure(
  running: Record<Cluster, ServerProcess>,
  primary: PostgresServer,
  people: readonly Person[],
): Promise<Measured> {
  const measured: Measured = new Map(Object.keys(endpoints).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, next] of Object.entries(endpoints)) {
      const figures = {
        'one node': await loadOnce(running['one node'], primary, next, people),
        'two nodes': await loadOnce(running['two nodes'], primary, next, people),
      }
      if (round > 0) measured.get(name)?.push(figures)
    }
  return measured
}

async function loadOnce(
  server: ServerProcess,
  primary: PostgresServer,
  next: NextRequest,
  people: readonly Person[],
): Promise<Round> {
  const before = await usageOfConnections(primary)
  const figures = await load(server, next, people, seconds)
  const used = [...(await usageOfConnections(primary))].reduce(
    (sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0),
    0,
  )
  return { ...figures, primaryMicros: used / (figures.perSecond * seconds) }
}

async function usageOfConnections(server: PostgresServer): Promise<Map<number, number>> {
  const rows = await server.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return new Map(rows.map(({ pid }) => [pid, usageOf(pid).cpuMicros]))
}

function report(measured: Measured): string {
  const columns = {
    perSecond: 'requests/s',
    p99: 'p99 ms',
    cpuMicros: 'server us',
    primaryMicros: 'primary us',
  }
  const figures = Object.keys(columns) as (keyof typeof columns)[]
  const medianOf = (all: Record<Cluster, Round>[], value: (round: Record<Cluster, Round>) => number) =>
    median(all.map(value))
  const rows = [...measured].flatMap(([name, all]) => [
    ...clusters.map(
      (cluster) =>
        `${name.padEnd(16)}${cluster.padEnd(12)}${figures
          .map((figure) =>
            medianOf(all, (round) => round[cluster][figure])
              .toFixed(0)
              .padStart(12),
          )
          .join('')}`,
    ),
    `${name.padEnd(16)}${'ratio'.padEnd(12)}${figures
      .map((figure) =>
        medianOf(all, (round) => round['two nodes'][figure] / round['one node'][figure])
          .toFixed(2)
          .padStart(12),
      )
      .join('')}`,
  ])
  return [
    `Medians of ${rounds} alternating rounds of ${seconds} s with ${connections} connections on ${availableParallelism()} cores,`,
    'which load, server, primary and standby share; CPU time of the server and of the primary for a request',
    '',
    `${''.padEnd(28)}${figures.map((figure) => columns[figure].padStart(12)).join('')}`,
    ...rows,
  ].join('\n')
}
