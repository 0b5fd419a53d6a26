import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { type Load, type Shot, shoot } from './load.ts'
import { median } from './median.ts'
import { type Running, run } from './server-process.ts'
import { carOfCrowd, prepareWorld, type World } from './world.ts'

const rounds = 7
const roundMs = 2_000
const connections = 8

type Server = Running & { name: string; shots: Record<Kind, (i: number, connection: number) => Shot> }
const kinds = ['read', 'page', 'page anew', 'write', 'write keyed', 'write one car'] as const
type Kind = (typeof kinds)[number]
type Figures = Load & { cpuMicros: number; rssMb: number }

const migrations = new URL('../db/migrations/', import.meta.url)

/** Two calls of the product beside a bare server that does the same reads and writes with nothing around them. */
export async function compareCalls(databaseUrl: string, dataDir: string): Promise<string> {
  const world = await worldIn(databaseUrl, dataDir, { migrate, openDatabase, prepareWorld, migrations })
  const settings = settingsOf(databaseUrl, dataDir)
  return compare([
    await startServer('limit', 'server/bench/limit-server.mjs', world, settings),
    await startServer('product', 'dist/server/main.js', world, settings),
  ])
}

/**
 * The same with another version of the product between the two: the one in `folder`, with its packages installed and
 * built, on a database of its own that it has migrated and filled itself.
 */
export async function compareVersions(
  databaseUrl: string,
  otherUrl: string,
  dataDir: string,
  folder: string,
): Promise<string> {
  const world = await worldIn(databaseUrl, dataDir, { migrate, openDatabase, prepareWorld, migrations })
  const otherWorld = await worldIn(otherUrl, dataDir, await versionIn(folder))
  const settings = settingsOf(databaseUrl, dataDir)
  const before = join(resolve(folder), 'dist/server/main.js')
  return compare([
    await startServer('limit', 'server/bench/limit-server.mjs', world, settings),
    await startServer('before', before, otherWorld, settingsOf(otherUrl, dataDir)),
    await startServer('product', 'dist/server/main.js', world, settings),
  ])
}

type Version = {
  migrate: typeof migrate
  openDatabase: typeof openDatabase
  prepareWorld: typeof prepareWorld
  migrations: URL
}

async function versionIn(folder: string): Promise<Version> {
  const at = (path: string) => pathToFileURL(join(resolve(folder), 'server', path))
  const [ofMigrate, ofOpen, ofWorld] = await Promise.all(
    ['db/migrate.ts', 'db/open.ts', 'bench/world.ts'].map((path) => import(at(path).href)),
  )
  return { ...ofMigrate, ...ofOpen, ...ofWorld, migrations: at('db/migrations/') }
}

async function worldIn(databaseUrl: string, dataDir: string, version: Version): Promise<World> {
  const database = version.openDatabase({ connectionString: databaseUrl })
  await version.migrate(database.pool, version.migrations)
  const world = await version.prepareWorld(database.pool, dataDir, databaseUrl, connections)
  await database.close()
  return world
}

const settingsOf = (databaseUrl: string, dataDir: string) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  RATE_LIMITS: 'off',
  DEMO: '0',
})

async function compare(servers: Server[]): Promise<string> {
  const measured = await measure(servers)
  for (const server of servers) await server.stop()
  return report(measured)
}

async function startServer(
  name: string,
  file: string,
  world: World,
  settings: Record<string, string>,
): Promise<Server> {
  const running = await run(file, `/cars/public/${world.sellerId}/${world.vin}`, settings)
  const headers = {
    'content-type': 'application/json',
    cookie: world.cookie,
    'sec-fetch-site': 'same-origin',
  }
  const setPrice = (carId: string | undefined, i: number): Shot => ({
    method: 'PUT',
    path: `/cars/update-price/${carId}`,
    headers,
    body: JSON.stringify({ newPrice: 5000 + (i % 5000), sellerId: world.sellerId }),
  })
  return {
    ...running,
    name,
    shots: {
      read: () => ({
        method: 'GET',
        path: `/cars/public/${world.sellerId}/${world.vin}`,
        headers: { accept: 'application/json' },
      }),
      write: (i, connection) => setPrice(world.carIds[connection], i),
      // The same car as HTML, as a phone asks for it. The limit has no pages and reads it once more.
      page: () => ({
        method: 'GET',
        path:
          name === 'limit'
            ? `/cars/public/${world.sellerId}/${world.vin}`
            : `/car?userId=${world.sellerId}&vin=${world.vin}`,
        headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
      }),
      // Of more cars than whose pages are kept.
      'page anew': (i) => {
        const { userId, vin } = carOfCrowd(i % 400)
        return {
          method: 'GET',
          path: name === 'limit' ? `/cars/public/${userId}/${vin}` : `/car?userId=${userId}&vin=${vin}`,
          headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
        }
      },
      // As the web sends it: the answer is kept with the change.
      'write keyed': (i, connection) => {
        const shot = setPrice(world.carIds[connection], i)
        return { ...shot, headers: { ...shot.headers, 'idempotency-key': randomUUID() } }
      },
      // Everybody waits for the same row.
      'write one car': (i) => setPrice(world.carIds[0], i),
    },
  }
}

/** Rounds in turn, so that a machine that grows slower slows all of them; the first one only warms up. */
async function measure(servers: Server[]): Promise<Map<string, Figures[]>> {
  const figures = new Map<string, Figures[]>()
  for (let round = 0; round <= rounds; round++)
    for (const kind of kinds)
      for (const server of servers) {
        const load = await oneRound(server, kind)
        if (load.failed > 0) throw new Error(`${server.name} ${kind}: ${load.failed} requests failed`)
        const key = `${kind} ${server.name}`
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), load])
      }
  return figures
}

async function oneRound(server: Server, kind: Kind): Promise<Figures> {
  const before = server.usage()
  const load = await shoot(server.port, server.shots[kind], connections, roundMs)
  const after = server.usage()
  const spent = after.cpuMicros - before.cpuMicros
  return { ...load, cpuMicros: spent / load.requests, rssMb: after.rssMb }
}

function report(measured: Map<string, Figures[]>): string {
  const rows = [...measured].map(([name, all]) => {
    const of = (pick: (one: Figures) => number) => median(all.map(pick))
    return line(
      name,
      of((one) => one.requests / one.seconds).toFixed(0),
      of((one) => one.p50).toFixed(2),
      of((one) => one.p99).toFixed(2),
      of((one) => one.cpuMicros).toFixed(0),
      median(ratios(measured, name)).toFixed(2),
      of((one) => one.rssMb).toFixed(0),
    )
  })
  return [
    `${rounds} interleaved rounds of ${roundMs / 1000} s each, ${connections} connections, medians; embedded PostgreSQL, fsync on`,
    '',
    line('', 'requests/s', 'p50 ms', 'p99 ms', 'CPU us/req', 'x limit', 'RSS MB'),
    ...rows,
    '',
    'To reach: read at most 1.50, write at most 3.00 times the limit’s server CPU per request.',
    `The page of a car costs ${pageOverCall(measured, 'page').toFixed(2)} times the CPU of the call that answers the same in JSON,`,
    `rendered anew ${pageOverCall(measured, 'page anew').toFixed(2)} times; at most 3.00.`,
    '“keyed”: with an Idempotency-Key, which the limit ignores; no figure to reach.',
    'Every connection writes to a car of its own; “one car”: all to the same, one behind the other.',
  ].join('\n')
}

function pageOverCall(measured: Map<string, Figures[]>, kind: Kind): number {
  const calls = measured.get('read product') ?? []
  const pages = measured.get(`${kind} product`) ?? []
  return median(pages.map((one, round) => one.cpuMicros / (calls[round]?.cpuMicros ?? 1)))
}

/** Round by round, so that drift of the machine falls out. */
function ratios(measured: Map<string, Figures[]>, name: string): number[] {
  const limits = measured.get(name.replace(/\w+$/, 'limit')) ?? []
  return (measured.get(name) ?? []).map((one, round) => one.cpuMicros / (limits[round]?.cpuMicros ?? 1))
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(22) + cells.map((cell) => cell.padStart(12)).join('')
}
