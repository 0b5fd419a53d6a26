import { randomUUID } from 'node:crypto'
import { median, withCluster } from './database.ts'
import { connections, type Figures, load, type NextRequest, readCar, setPrice } from './load.ts'
import { createPeople, type Person } from './people.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

// `npm run bench`: compares requests with a minimal server and with plain Express.

const rounds = 5
const seconds = 2

const servers = ['limit', 'express', 'product'] as const
type Server = (typeof servers)[number]

const endpoints: Record<string, NextRequest> = {
  read: readCar,
  'price, 16 cars': (people, connection) => setPrice(people[connection]),
  'price, one car': (people) => setPrice(people[0]),
  // The web app sends an idempotency key, so that the response is stored.
  'price, keyed': (people, connection) => {
    const request = setPrice(people[connection])
    return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }
  },
}

await withCluster(async ({ dataDir, connectionString }) => {
  const people = await createPeople(connectionString, 2_000)
  const settings = {
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    DEMO: '0',
    LOG_LEVEL: 'warn',
  }
  const ready = `/cars/public/${people[0]?.id}/${people[0]?.vin}`
  const running: Record<Server, ServerProcess> = {
    limit: await startProcess(['bench/baseline-servers.mjs', 'limit'], ready, settings),
    express: await startProcess(['bench/baseline-servers.mjs', 'express'], ready, settings),
    product: await startProcess(['dist/server/main.js'], ready, settings),
  }
  try {
    const measured = await measure(running, people)
    console.log(report(measured))
  } finally {
    for (const server of servers) await running[server].stop()
  }
})

type Measured = Map<string, Record<Server, Figures>[]>

/**
 * Alternates between the servers, so that other load affects them equally. The first round warms
 * up.
 */
async function measure(running: Record<Server, ServerProcess>, people: readonly Person[]): Promise<Measured> {
  const measured: Measured = new Map(Object.keys(endpoints).map((name) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, next] of Object.entries(endpoints)) {
      const figures = {
        limit: await load(running.limit, next, people, seconds),
        express: await load(running.express, next, people, seconds),
        product: await load(running.product, next, people, seconds),
      }
      if (round > 0) measured.get(name)?.push(figures)
    }
  return measured
}

function report(measured: Measured): string {
  const goals = [
    ['read', 'limit', 'cpuMicros', '<=', 2.4] as const,
    ['read', 'express', 'perSecond', '>=', 1] as const,
    ['price, 16 cars', 'express', 'perSecond', '>=', 0.6] as const,
  ]
  const ratio = (name: string, baseline: Server, figure: keyof Figures) =>
    median((measured.get(name) ?? []).map((round) => round.product[figure] / round[baseline][figure]))
  const rows = [...measured].flatMap(([name, all]) =>
    servers.map((server) => {
      const medianOf = (figure: keyof Figures) => median(all.map((round) => round[server][figure])).toFixed(0)
      const comparison = ratio(name, server, 'perSecond').toFixed(2)
      return `${name.padEnd(16)}${server.padEnd(9)}${medianOf('perSecond').padStart(12)}${medianOf('cpuMicros').padStart(12)}${medianOf('p99').padStart(9)}${comparison.padStart(22)}`
    }),
  )
  return [
    `Medians of ${rounds} alternating rounds of ${seconds} s with ${connections} connections; CPU time of the server process`,
    '',
    `${''.padEnd(25)}${'requests/s'.padStart(12)}${'CPU us/req'.padStart(12)}${'p99 ms'.padStart(9)}${'product, requests/s'.padStart(22)}`,
    ...rows,
    '',
    ...goals.map(([name, baseline, figure, sign, goal]) => {
      const reached = ratio(name, baseline, figure)
      const isMet = sign === '<=' ? reached <= goal : reached >= goal
      return `${name}, ${figure} relative to ${baseline}: ${reached.toFixed(2)}, goal ${sign} ${goal}: ${isMet ? 'met' : 'MISSED'}`
    }),
  ].join('\n')
}
