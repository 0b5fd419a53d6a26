import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile, withCluster } from '../database.ts'
import { createPeople, type Person } from '../people.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'
import { createReaders } from './readers.ts'
import { sendSteadily } from './send-steadily.ts'

// `npm run bench:live [-- --streams 1000]`: measures the cost of many open pages, and how long a
// change takes to reach an open page.

const { values: given } = parseArgs({ options: { streams: { type: 'string', default: '10000' } } })
const many = Number(given.streams)
const perSecond = 100
const measureMs = 12_000
const settleMs = 3_000
/** Changes that arrive later count as lost. */
const lateMs = 5_000
/** Starts above every car's initial price, because an unchanged price publishes no event. */
let price = 10_000

const readers = createReaders()

await withCluster(async ({ dataDir, connectionString }) => {
  const people = await createPeople(connectionString, many)
  const start = (name: string) =>
    startProcess(['dist/server/main.js'], '/health/ready', {
      DATABASE_URL: connectionString,
      DATA_DIR: join(dataDir, name),
      SESSION_SECRET: 'a secret that all processes of this run share',
      MAX_CONNECTIONS: String(many + 1_000),
      RATE_LIMITS: 'off',
      DEMO: '0',
      LOG_LEVEL: 'error',
    })
  console.log(
    `${perSecond} changes and ${perSecond} reads a second; milliseconds at the 50th and 99th percentile`,
  )
  console.log(line('', ['reached', 'p50', 'p99', 'reads p50', 'p99', 'processor', 'memory a stream']))
  const first = await start('first')
  const few = people.slice(0, many / 5)
  await load([first], few)
  await measure('no streams', [first], few)
  const emptyMb = first.usage().rssMb
  await readers.open(first.port, few)
  await measure(`${few.length} streams`, [first], few, emptyMb)
  await readers.open(first.port, people.slice(few.length))
  await measure(`${many} streams`, [first], people, emptyMb)
  await readers.close()

  const second = await start('second')
  await readers.open(first.port, few.slice(0, few.length / 2))
  await readers.open(second.port, few.slice(few.length / 2))
  await measure(`${few.length} at two processes`, [first, second], few)
  await readers.close()
  await first.stop()
  await second.stop()
})

async function measure(
  name: string,
  servers: readonly ServerProcess[],
  people: readonly Person[],
  emptyMb?: number,
): Promise<void> {
  await pause(settleMs)
  const memoryMb = (servers[0]?.usage().rssMb ?? 0) - (emptyMb ?? 0)
  const before = servers.map((server) => server.usage().cpuMicros)
  const { changes, reached, reads } = await load(servers, people)
  const used = servers.map((server, at) => server.usage().cpuMicros - (before[at] ?? 0))
  const cells = [reached, reads].flatMap((values) => [
    quantile(values, 0.5).toFixed(1),
    quantile(values, 0.99).toFixed(1),
  ])
  console.log(
    line(name, [
      `${reached.length} of ${changes}`,
      ...cells,
      used.map((micros) => `${(micros / measureMs / 10).toFixed(0)} %`).join(' + '),
      emptyMb === undefined ? '' : `${((memoryMb * 1024) / readers.size).toFixed(1)} kB`,
    ]),
  )
}

/** Sets prices, each published to the streams of the car's seller, and reads public cars. */
async function load(servers: readonly ServerProcess[], people: readonly Person[]) {
  const portOf = (i: number) => servers[i % servers.length]?.port ?? 0
  const sentAt = new Map<Person, number>()
  const reached: number[] = []
  readers.onChange = (person) => {
    const sent = sentAt.get(person)
    if (sent === undefined) return
    sentAt.delete(person)
    reached.push(performance.now() - sent)
  }
  const changing = sendSteadily(perSecond, measureMs, (i) => {
    const person = personAt(people, i)
    sentAt.set(person, performance.now())
    return {
      port: portOf(i),
      method: 'PUT',
      path: `/cars/update-price/${person.carId}`,
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ newPrice: ++price }),
    }
  })
  const reading = sendSteadily(perSecond, measureMs, (i) => {
    const { id, vin } = personAt(people, i * 7)
    return { port: portOf(i), method: 'GET', path: `/cars/public/${id}/${vin}`, headers: {} }
  })
  const [changes, reads] = await Promise.all([changing, reading])
  const end = performance.now() + lateMs
  while (readers.size > 0 && sentAt.size > 0 && performance.now() < end) await pause(50)
  return { changes: changes.length, reached, reads }
}

function line(name: string, cells: string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(16)).join('')
}

function personAt(people: readonly Person[], i: number): Person {
  const person = people[i % people.length]
  if (!person) throw new Error('There are no people')
  return person
}
