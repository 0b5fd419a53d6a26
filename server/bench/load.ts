import { Agent, request } from 'node:http'

export type Shot = { method: string; path: string; headers: Record<string, string>; body?: string }
export type Load = { requests: number; seconds: number; p50: number; p99: number; failed: number }

/** Keeps `connections` requests in flight on one server, for so many milliseconds or as long as it is told; latencies in milliseconds. */
export async function shoot(
  port: number,
  next: (i: number, connection: number) => Shot,
  connections: number,
  goOn: number | (() => boolean),
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const latencies: number[] = []
  let failed = 0
  let count = 0
  const start = performance.now()
  const isOn = typeof goOn === 'number' ? () => performance.now() < start + goOn : goOn
  const worker = async (connection: number) => {
    while (isOn()) {
      const before = performance.now()
      const status = await once(agent, port, next(count++, connection))
      if (status !== 200) failed++
      latencies.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => worker(connection)))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0
  return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), failed }
}

const once = (agent: Agent, port: number, shot: Shot): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { agent, port, host: '127.0.0.1', method: shot.method, path: shot.path, headers: shot.headers },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(shot.body)
  })
