import autocannon from 'autocannon'
import type { Person } from './people.ts'
import type { ServerProcess } from './server-process.ts'

export const connections = 16

type Request = { method: 'GET' | 'PUT'; path: string; headers: Record<string, string>; body?: string }
export type NextRequest = (people: readonly Person[], connection: number) => Request
/** `cpuMicros`: CPU time of the server process for one request. */
export type Figures = { perSecond: number; cpuMicros: number; p99: number }

export const readCar: NextRequest = (people, connection) => ({
  method: 'GET',
  path: `/cars/public/${people[connection]?.id}/${people[connection]?.vin}`,
  headers: { accept: 'application/json' },
})

let price = 5_000
export const setPrice = (person: Person | undefined): Request => ({
  method: 'PUT',
  path: `/cars/update-price/${person?.carId}`,
  headers: {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    cookie: person?.cookie ?? '',
  },
  body: JSON.stringify({ newPrice: ++price }),
})

/** Sends requests for some seconds. Throws if one fails. */
export async function load(
  server: ServerProcess,
  next: NextRequest,
  people: readonly Person[],
  seconds: number,
): Promise<Figures> {
  const before = server.usage().cpuMicros
  let connection = 0
  const { requests, latency, duration, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections,
    duration: seconds,
    setupClient: (client) => {
      const index = connection++
      client.setRequests([{ setupRequest: (request) => ({ ...request, ...next(people, index) }) }])
    },
  })
  if (errors + non2xx > 0) throw new Error(`${errors + non2xx} requests failed`)
  const cpuMicros = (server.usage().cpuMicros - before) / requests.total
  return { perSecond: requests.total / duration, cpuMicros, p99: latency.p99 }
}
