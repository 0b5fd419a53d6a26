import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../../db/migrate.ts'
import { openEmbedded } from '../../embedded-postgres/open.ts'
import type { Shot } from '../load.ts'
import { type Running, run } from '../server-process.ts'
import { churn } from './churn.ts'
import { findExamples } from './examples.ts'
import { type Kind, kindsFor } from './shots.ts'
import { fillWorld } from './world.ts'

// `npm run bench:scale [-- --cars 1000000] [--data FOLDER] [--only WORDS] [--churn MINUTES]`: what each call takes among a thousand
// cars and among a million. With `--data` the databases stay in the folder, and a next run uses them again. `--churn` then changes
// the large one for so long, and shows what VACUUM did and how the tables have grown.

const { values: given } = parseArgs({
  options: {
    cars: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
    churn: { type: 'string', default: '0' },
  },
})
const few = 1_000
const many = Number(given.cars)
const rounds = 8
const shotsARound = 25
/** Of what a small world has few. */
const usingShots = 4
const password = 'open sesame 42'
/** Less than an administrator's access lives. */
const signedInMs = 60_000

type World = { cars: number; url: string; server: Running; kinds: Kind[] }

const dataDir = given.data ?? mkdtempSync(join(tmpdir(), 'keyturn-bench-scale-'))
mkdirSync(dataDir, { recursive: true })
const started: Running[] = []
const embedded = await openEmbedded({ dataDir })
try {
  const worlds = [await openWorld(few), await openWorld(many)] as const
  await measure(worlds)
  if (Number(given.churn) > 0) await showChurn(worlds[1], Number(given.churn))
} finally {
  for (const server of started) await server.stop()
  await embedded.stop()
  if (given.data === undefined) rmSync(dataDir, { recursive: true, force: true })
}
process.exit(0)

async function openWorld(cars: number): Promise<World> {
  const url = await filledDatabase(cars)
  const pool = new pg.Pool({ connectionString: url })
  const examples = await findExamples(pool, (rounds + 1) * usingShots)
  await pool.end()
  const server = await run('dist/server/main.js', '/health/ready', {
    DATABASE_URL: url,
    DATA_DIR: join(dataDir, `server-${cars}`),
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
    DEMO: '0',
  })
  started.push(server)
  let signedIn: { cookie: string; at: number } | undefined
  const administrator = async () => {
    if (!signedIn || performance.now() - signedIn.at > signedInMs) {
      const { cookies } = await send(server, {
        method: 'POST',
        path: '/auth/admin/login',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ username: 'admin', password }),
      })
      signedIn = { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; '), at: performance.now() }
    }
    return signedIn.cookie
  }
  const hundredth = async (path: string, cookie: string) => {
    let at = path
    for (let page = 1; page < 100; page++) {
      const { link } = await send(server, {
        method: 'GET',
        path: at,
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      })
      const next = /<([^>]+)>/.exec(link)?.[1]
      if (next === undefined) return at
      at = next
    }
    return at
  }
  return { cars, url, server, kinds: kindsFor(examples, administrator, hundredth) }
}

/** Filled once; how long that took and how large it became is said. */
async function filledDatabase(cars: number): Promise<string> {
  const name = `cars_${cars}`
  const url = new URL(embedded.connectionString)
  url.pathname = `/${name}`
  // The small one is soon made, and soon used up.
  if (cars === few) await onCluster(`drop database if exists ${name}`)
  if ((await onCluster('select from pg_database where datname = $1', [name])).rowCount === 0) {
    await onCluster(`create database ${name}`)
    const pool = new pg.Pool({ connectionString: url.href })
    await migrate(pool, new URL('../../db/migrations/', import.meta.url))
    await pool.end()
    const began = performance.now()
    await fillWorld(url.href, cars, (what, seconds) => {
      if (seconds > 5) console.error(`${what} ${seconds.toFixed(0)} s`)
    })
    const { rows } = await onCluster('select pg_size_pretty(pg_database_size($1)) as size', [name])
    await onCluster('checkpoint')
    const minutes = (performance.now() - began) / 60_000
    console.log(
      `${cars.toLocaleString('en-US')} cars made in ${minutes.toFixed(1)} minutes, ${rows[0]?.size}`,
    )
  }
  return url.href
}

async function onCluster(statement: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: embedded.connectionString })
  await client.connect()
  try {
    return await client.query<{ size: string }>(statement, values)
  } finally {
    await client.end()
  }
}

async function showChurn({ url, server }: World, minutes: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: url })
  try {
    console.log((await churn(pool, server, minutes)).join('\n'))
  } finally {
    await pool.end()
  }
}

/** In turns, so that whatever else the computer does meets both worlds alike. */
async function measure(worlds: readonly World[]): Promise<void> {
  const [names] = worlds.map(({ kinds }) => kinds.map(({ name }) => name))
  console.log(
    `\nMilliseconds of one connection, ${rounds * shotsARound} requests each (fewer where each uses something up), in turns\n`,
  )
  const columns = worlds.map(({ cars }) => `${cars.toLocaleString('en-US')} p50   p99`.padStart(22)).join('')
  console.log(`${''.padEnd(46)}${columns}   p50 ratio`)
  for (const [at, name] of (names ?? []).entries()) {
    if (!name.includes(given.only)) continue
    const times: number[][] = worlds.map(() => [])
    const shots = worlds[0]?.kinds[at]?.uses ? usingShots : shotsARound
    for (let round = -1; round < rounds; round++)
      for (let i = 0; i < shots; i++)
        for (const [place, { server, kinds }] of worlds.entries()) {
          const kind = kinds[at]
          if (!kind) throw new Error('The worlds have different calls')
          const shot = await kind.shot((round + 1) * shots + i)
          const before = performance.now()
          const { status, body } = await send(server, shot)
          const ms = performance.now() - before
          if (status !== kind.expects)
            throw new Error(`${name}: ${shot.path} answered ${status}: ${body.slice(0, 300)}`)
          // The first round warms up.
          if (round >= 0) times[place]?.push(ms)
        }
    const figures = times.map((ms) => ({ p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) }))
    const ratio = (figures[1]?.p50 ?? 0) / (figures[0]?.p50 ?? 1)
    const cells = figures
      .map(({ p50, p99 }) => `${p50.toFixed(2)} ${p99.toFixed(2).padStart(7)}`.padStart(22))
      .join('')
    console.log(`${name.padEnd(46)}${cells}   ${ratio.toFixed(2)}${ratio > 1.5 ? '  above 1.50' : ''}`)
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

type Answered = { status: number; body: string; cookies: string[]; link: string }
function send({ port }: Running, shot: Shot): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { method, path, headers } = shot
    const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part) => {
        body += part
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body,
          cookies: response.headers['set-cookie'] ?? [],
          link: String(response.headers.link ?? ''),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(shot.body)
  })
}
