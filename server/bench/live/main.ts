import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../../embedded-postgres/open.ts'
import { type Running, run } from '../server-process.ts'
import { makePeople, type Person } from './people.ts'
import { openReaders } from './readers.ts'
import { quantile, sendOne, steadily } from './steady.ts'

// `npm run bench:live [-- --streams 1000]`: what many open pages cost, and how long a change takes to reach the one that
// it concerns.

const { values: given } = parseArgs({ options: { streams: { type: 'string', default: '10000' } } })
const many = Number(given.streams)
const few = many / 5
const shared = few * 2
const slow = many / 100
const changesPerSecond = 100
const readsPerSecond = 100
const measureMs = 12_000
const settleMs = 3_000
const warmUpMs = 10_000
/** What has not reached its reader by then is counted as lost. */
const lateMs = 5_000
/** Above what every car costs at first: the same price set again is no change, and is told to nobody. */
let price = 10_000

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-bench-live-'))
const embedded = await openEmbedded({ dataDir })
const started: Running[] = []
const readers = openReaders()
try {
  await measure(await makePeople(embedded.connectionString, many))
} finally {
  await readers.close()
  for (const server of started) await server.stop()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(0)

async function measure(people: readonly Person[]): Promise<void> {
  console.log(
    `\n${changesPerSecond} changes and ${readsPerSecond} reads a second; milliseconds at the 50th and 99th percentile`,
  )
  console.log(line(['', 'reached', 'p50', 'p99', 'reads p50', 'p99', 'processor', 'memory a stream']))
  const one = await start()
  await load([one], people.slice(0, few), warmUpMs)
  const none = await measured('no streams', [one], people.slice(0, few))

  const emptyMb = one.usage().rssMb
  await readers.open(one.port, people.slice(0, few))
  const withFew = await measured(`${few} streams`, [one], people.slice(0, few), emptyMb)

  const deaf = openReaders()
  await deaf.open(one.port, people.slice(0, slow), false)
  // Each change is one of theirs as well.
  await measured(`and ${slow} that do not read`, [one], people.slice(0, slow))
  await deaf.close()

  await readers.open(one.port, people.slice(few))
  const withMany = await measured(`${many} streams`, [one], people, emptyMb)
  const ended = await signOut(one, people.slice(0, 50))
  await readers.close()

  const two = await start()
  const half = people.slice(shared, shared + shared / 2)
  const otherHalf = people.slice(shared + shared / 2, shared * 2)
  await readers.open(one.port, half)
  await readers.open(two.port, otherHalf)
  await measured(`${shared} at two processes`, [one, two], [...half, ...otherHalf])

  const times = ({ reads }: Load) => (quantile(reads, 0.99) / quantile(none.reads, 0.99)).toFixed(2)
  console.log(
    `reads at the 99th percentile, beside no streams: ${times(withFew)} and ${times(withMany)} times`,
  )
  console.log(`after signing out a stream ends within ${quantile(ended, 0.99).toFixed(0)} ms (p99 of 50)`)
}

async function start(): Promise<Running> {
  const server = await run('dist/server/main.js', '/health/ready', {
    DATABASE_URL: embedded.connectionString,
    DATA_DIR: join(dataDir, `server-${started.length}`),
    SESSION_SECRET: 'a secret that all processes of this run share',
    MAX_CONNECTIONS: String(many + 1_000),
    RATE_LIMITS: 'off',
    DEMO: '0',
    LOG_LEVEL: 'error',
  })
  started.push(server)
  return server
}

type Load = { changes: number; reached: number[]; reads: number[] }

async function measured(
  name: string,
  servers: readonly Running[],
  people: readonly Person[],
  emptyMb?: number,
): Promise<Load> {
  await pause(settleMs)
  const memory = (servers[0]?.usage().rssMb ?? 0) - (emptyMb ?? 0)
  const before = servers.map((server) => server.usage().cpuMicros)
  const result = await load(servers, people, measureMs)
  const used = servers.map((server, at) => server.usage().cpuMicros - (before[at] ?? 0))
  const { changes, reached, reads } = result
  const at = (values: number[], share: number) =>
    values.length > 0 ? quantile(values, share).toFixed(1) : '–'
  console.log(
    line([
      name,
      `${reached.length} of ${changes}`,
      at(reached, 0.5),
      at(reached, 0.99),
      at(reads, 0.5),
      at(reads, 0.99),
      used.map((micros) => `${(micros / measureMs / 10).toFixed(0)} %`).join(' + '),
      emptyMb === undefined ? '' : `${((memory * 1024) / readers.size).toFixed(1)} kB`,
    ]),
  )
  return result
}

/** Each change is a new price of one person's car, told to that person's streams; reads are of others' public cars. */
async function load(servers: readonly Running[], people: readonly Person[], ms: number): Promise<Load> {
  const portOf = (i: number) => servers[i % servers.length]?.port ?? 0
  const sentAt = new Map<Person, number>()
  const reached: number[] = []
  readers.onChange = (person) => {
    const sent = sentAt.get(person)
    if (sent === undefined) return
    sentAt.delete(person)
    reached.push(performance.now() - sent)
  }
  const changing = steadily(changesPerSecond, ms, (i) => {
    const person = one(people, i)
    sentAt.set(person, performance.now())
    return {
      port: portOf(i),
      method: 'PUT',
      path: `/cars/update-price/${person.carId}`,
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ newPrice: ++price }),
    }
  })
  const reading = steadily(readsPerSecond, ms, (i) => {
    const { id, vin } = one(people, i * 7)
    return { port: portOf(i), method: 'GET', path: `/cars/public/${id}/${vin}`, headers: {} }
  })
  const [changes, reads] = await Promise.all([changing, reading])
  const end = performance.now() + lateMs
  while (readers.size > 0 && sentAt.size > 0 && performance.now() < end) await pause(50)
  return { changes: changes.length, reached, reads }
}

async function signOut({ port }: Running, people: readonly Person[]): Promise<number[]> {
  const agent = new Agent()
  const took: number[] = []
  for (const person of people) {
    const began = performance.now()
    const ended = new Promise<void>((resolve) => {
      readers.onEnd = (gone) => gone === person && resolve()
    })
    const headers = { cookie: person.cookie, 'x-requested-with': 'app' }
    await sendOne(agent, { port, method: 'GET', path: '/auth/logout', headers })
    await ended
    took.push(performance.now() - began)
  }
  agent.destroy()
  readers.onEnd = () => {}
  return took
}

function line([name = '', ...cells]: string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(16)).join('')
}

function one(people: readonly Person[], i: number): Person {
  const person = people[i % people.length]
  if (!person) throw new Error('nobody is there')
  return person
}
