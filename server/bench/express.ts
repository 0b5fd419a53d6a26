import { randomUUID } from 'node:crypto'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { type Load, type Shot, shoot } from './load.ts'
import { median } from './median.ts'
import { type Running, run } from './server-process.ts'
import { prepareWorld, type World } from './world.ts'

const rounds = 5
const roundMs = 2_000
const connections = 16

type Figures = Load & { cpuMicros: number }
type Pair = { product: Figures; express: Figures }
type Shoots = Record<string, (i: number, connection: number) => Shot>

/** The product beside plain Express on one database: the same sessions, bodies and rows, in turn. */
export async function compareExpress(databaseUrl: string, dataDir: string): Promise<string> {
  const database = openDatabase({ connectionString: databaseUrl })
  await migrate(database.pool, new URL('../db/migrations/', import.meta.url))
  const world = await prepareWorld(database.pool, dataDir, databaseUrl, connections)
  await database.close()
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, RATE_LIMITS: 'off', DEMO: '0' }
  const ready = `/cars/public/${world.sellerId}/${world.vin}`
  const product = await run('dist/server/main.js', ready, settings)
  const express = await run('server/bench/express-server.mjs', ready, settings)
  try {
    return report(await measure(product, express, shotsOf(world)))
  } finally {
    await product.stop()
    await express.stop()
  }
}

function shotsOf({ sellerId, vin, carIds, cookie }: World): Shoots {
  const headers = { 'content-type': 'application/json', cookie, 'sec-fetch-site': 'same-origin' }
  const setPrice = (carId: string | undefined, newPrice: number): Shot => ({
    method: 'PUT',
    path: `/cars/update-price/${carId}`,
    headers,
    body: JSON.stringify({ newPrice, sellerId }),
  })
  const keyed = (shot: Shot): Shot => ({
    ...shot,
    headers: { ...shot.headers, 'idempotency-key': randomUUID() },
  })
  const price = (i: number) => 5000 + (i % 5000)
  return {
    read: () => ({
      method: 'GET',
      path: `/cars/public/${sellerId}/${vin}`,
      headers: { accept: 'application/json' },
    }),
    'price, 16 cars': (i, connection) => setPrice(carIds[connection], price(i)),
    'price, one car': (i) => setPrice(carIds[0], price(i)),
    'keyed, 16 cars': (i, connection) => keyed(setPrice(carIds[connection], price(i))),
    'keyed, one car': (i) => keyed(setPrice(carIds[0], price(i))),
    'same price, 16 cars': (_, connection) => setPrice(carIds[connection], 4000),
    'same price, one car': () => setPrice(carIds[0], 4000),
  }
}

/** One behind the other in each round, so that a busy machine slows both; the first round only warms up. */
async function measure(product: Running, express: Running, shots: Shoots): Promise<Map<string, Pair[]>> {
  const pairs = new Map<string, Pair[]>()
  for (let round = 0; round <= rounds; round++)
    for (const [kind, shot] of Object.entries(shots)) {
      const pair = { product: await oneRound(product, shot), express: await oneRound(express, shot) }
      const failed = pair.product.failed + pair.express.failed
      if (failed > 0) throw new Error(`${kind}: ${failed} requests failed`)
      if (round > 0) pairs.set(kind, [...(pairs.get(kind) ?? []), pair])
    }
  return pairs
}

async function oneRound(server: Running, shot: Shoots[string]): Promise<Figures> {
  const before = server.usage().cpuMicros
  const load = await shoot(server.port, shot, connections, roundMs)
  return { ...load, cpuMicros: (server.usage().cpuMicros - before) / load.requests }
}

const perSecond = (one: Figures): number => one.requests / one.seconds

function report(pairs: Map<string, Pair[]>): string {
  const rows = [...pairs].map(([kind, all]) => {
    const both = (pick: (one: Figures) => number, digits: number) =>
      [all.map(({ product }) => product), all.map(({ express }) => express)]
        .map((side) => median(side.map(pick)).toFixed(digits))
        .join(' : ')
    const ratio = (pick: (one: Figures) => number) =>
      median(all.map(({ product, express }) => pick(product) / pick(express))).toFixed(2)
    return line(kind, [
      both(perSecond, 0),
      ratio(perSecond),
      both((one) => one.cpuMicros, 0),
      ratio((one) => one.cpuMicros),
      both((one) => one.p99, 1),
      ratio((one) => one.p99),
    ])
  })
  return [
    `The product : Express 5 with pg and zod; ${rounds} interleaved rounds of ${roundMs / 1000} s each, ${connections} connections, medians`,
    '',
    line('', ['requests/s', 'ratio', 'CPU us/req', 'ratio', 'p99 ms', 'ratio']),
    ...rows,
    '',
    'To reach: requests/s at least 1.00 for prices, p99 at most 1.00. CPU is that of the server process alone.',
    'Express does not keep a log of prices, and ignores an Idempotency-Key. “Same price”: what is there is set again.',
  ].join('\n')
}

const line = (name: string, cells: string[]): string =>
  name.padEnd(20) + cells.map((cell, at) => cell.padStart(at % 2 === 0 ? 16 : 8)).join('')
