import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminLogin } from '@keyturn/contract/accounts/endpoints.ts'
import pg from 'pg'
import { cookieHeaderOf, createBrowserAt } from '../../tests/support/browser-at.ts'
import { type BenchCluster, migrateDatabase, quantile, withCluster } from '../database.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'
import { fillDatabase } from './fill-database.ts'
import { findExamples, type MeasuredEndpoint, measuredEndpoints } from './measured-endpoints.ts'

// `npm run bench:scale [-- --cars 1000000] [--data FOLDER] [--only WORDS]`: measures each endpoint
// with a thousand cars and with a million. With `--data` the databases are stored in the folder and
// reused.

const { values: given } = parseArgs({
  options: {
    cars: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const smallSize = 1_000
const rounds = 8
const requestsARound = 25
/** For endpoints whose changes cannot be repeated. */
const changesARound = 4
const password = 'open sesame 42'

type FilledServer = { cars: number; server: ServerProcess; endpoints: MeasuredEndpoint[] }

await withCluster(async (cluster) => {
  const small = await startFilledServer(cluster, smallSize)
  const large = await startFilledServer(cluster, Number(given.cars))
  try {
    await compare(small, large)
  } finally {
    await small.server.stop()
    await large.server.stop()
  }
}, given.data)

async function startFilledServer(cluster: BenchCluster, cars: number): Promise<FilledServer> {
  const url = await filledDatabase(cluster, cars)
  const server = await startProcess(['dist/server/main.js'], '/health/ready', {
    DATABASE_URL: url,
    DATA_DIR: join(cluster.dataDir, `server-${cars}`),
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
    DEMO: '0',
  })
  const examples = await findExamples(url, (rounds + 1) * changesARound)
  return { cars, server, endpoints: measuredEndpoints(examples, await signInAsAdministrator(server)) }
}

async function filledDatabase({ connectionString }: BenchCluster, cars: number): Promise<string> {
  const name = `cars_${cars}`
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString })
  await client.connect()
  // The small database is recreated, because each run uses up its rows.
  if (cars === smallSize) await client.query(`drop database if exists ${name}`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) {
    await client.query(`create database ${name}`)
    await migrateDatabase(url.href)
    const began = performance.now()
    await fillDatabase(url.href, cars)
    console.log(`${cars} cars created in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  await client.end()
  return url.href
}

async function signInAsAdministrator({ port }: ServerProcess): Promise<string> {
  const browser = createBrowserAt(() => `http://127.0.0.1:${port}`)
  await browser.ask(adminLogin, { body: { username: 'admin', password } })
  return cookieHeaderOf(browser)
}

/** Alternates between the two servers, so that other load affects both equally. */
async function compare(small: FilledServer, large: FilledServer): Promise<void> {
  console.log(
    `Milliseconds at the 50th percentile among ${small.cars} and ${large.cars} cars, and their ratio`,
  )
  for (const [at, { name }] of small.endpoints.entries()) {
    if (!name.includes(given.only)) continue
    const [first, second] = [[] as number[], [] as number[]]
    const requests = small.endpoints[at]?.isConsuming ? changesARound : requestsARound
    for (let i = 0; i < (rounds + 1) * requests; i++) {
      const [one, other] = [await time(small, at, i), await time(large, at, i)]
      // The first round warms up.
      if (i >= requests) {
        first.push(one)
        second.push(other)
      }
    }
    const [one, other] = [quantile(first, 0.5), quantile(second, 0.5)]
    const ratio = other / one
    const cells = [one, other, ratio].map((value) => value.toFixed(2).padStart(8)).join('')
    console.log(`${name.padEnd(46)}${cells}${ratio > 1.5 ? '  above 1.50' : ''}`)
  }
}

async function time({ server, endpoints }: FilledServer, at: number, i: number): Promise<number> {
  const call = endpoints[at]
  if (!call) throw new Error('The two servers have different endpoints')
  const { path, cookie, body } = call.request(i)
  const began = performance.now()
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: call.method,
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const ms = performance.now() - began
  if (!response.ok)
    throw new Error(`${call.name}: ${path} responded ${response.status}: ${text.slice(0, 300)}`)
  return ms
}
