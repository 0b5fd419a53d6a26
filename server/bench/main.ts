import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { coldStart } from './cold-start.ts'
import { type Load, type Shot, shoot } from './load.ts'
import { type Running, run } from './server-process.ts'
import { prepareWorld, type World } from './world.ts'

const rounds = 7
const roundMs = 2_000
const connections = 8

type Server = Running & { name: string; shots: Record<Kind, (i: number) => Shot> }
type Kind = 'read' | 'write'
type Figures = Load & { cpuMicros: number; rssMb: number }

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
const embedded = await openEmbedded({ dataDir })
try {
  const database = openDatabase(embedded.connection)
  await migrate(database.pool, new URL('../db/migrations/', import.meta.url))
  const world = await prepareWorld(database.pool, dataDir, embedded.connectionString)
  await database.close()
  const servers = [
    await startServer('limit', 'server/bench/limit-server.mjs', world),
    await startServer('product', 'dist/server/main.js', world),
  ]
  const measured = await measure(servers)
  for (const server of servers) await server.stop()
  report(measured)
} finally {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(await coldStart())
process.exit(0)

async function startServer(name: string, file: string, world: World): Promise<Server> {
  const running = await run(file, `/cars/public/${world.sellerId}/${world.vin}`, {
    DATABASE_URL: embedded.connectionString,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    DEMO: '0',
  })
  const json = { 'content-type': 'application/json', cookie: world.cookie, 'sec-fetch-site': 'same-origin' }
  return {
    ...running,
    name,
    shots: {
      read: () => ({
        method: 'GET',
        path: `/cars/public/${world.sellerId}/${world.vin}`,
        headers: { accept: 'application/json' },
      }),
      write: (i) => ({
        method: 'PUT',
        path: `/cars/update-price/${world.carId}`,
        headers: json,
        body: JSON.stringify({ newPrice: 5000 + (i % 5000), sellerId: world.sellerId }),
      }),
    },
  }
}

/** Rounds in turn, so that a machine that grows slower slows all of them; the first one only warms up. */
async function measure(servers: Server[]): Promise<Map<string, Figures[]>> {
  const figures = new Map<string, Figures[]>()
  for (let round = 0; round <= rounds; round++)
    for (const kind of ['read', 'write'] as const)
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

function report(measured: Map<string, Figures[]>): void {
  const rows = [...measured].map(([name, all]) => ({
    name,
    rate: median(all.map((one) => one.requests / one.seconds)),
    p50: median(all.map((one) => one.p50)),
    p99: median(all.map((one) => one.p99)),
    cpu: median(all.map((one) => one.cpuMicros)),
    rss: median(all.map((one) => one.rssMb)),
  }))
  console.log(
    `${rounds} interleaved rounds of ${roundMs / 1000} s each, ${connections} connections, medians; embedded PostgreSQL, fsync on\n`,
  )
  console.log(line('', 'requests/s', 'p50 ms', 'p99 ms', 'CPU us/req', 'x limit', 'RSS MB'))
  for (const row of rows) {
    const limit = rows.find((other) => other.name === row.name.replace('product', 'limit'))
    const pairs = ratios(measured, row.name)
    console.log(
      line(
        row.name,
        row.rate.toFixed(0),
        row.p50.toFixed(2),
        row.p99.toFixed(2),
        row.cpu.toFixed(0),
        limit === row ? '1' : median(pairs).toFixed(2),
        row.rss.toFixed(0),
      ),
    )
  }
  console.log('\nTo reach: read at most 2.00, write at most 3.00 times the limit’s server CPU per request.')
}

/** Round by round, so that drift of the machine falls out. */
function ratios(measured: Map<string, Figures[]>, name: string): number[] {
  const limits = measured.get(name.replace('product', 'limit')) ?? []
  return (measured.get(name) ?? []).map((one, round) => one.cpuMicros / (limits[round]?.cpuMicros ?? 1))
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(16) + cells.map((cell) => cell.padStart(12)).join('')
}
