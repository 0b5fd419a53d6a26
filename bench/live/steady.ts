import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

type Shot = { port: number; method: string; path: string; headers: Record<string, string>; body?: string }

/**
 * Sends requests at a constant rate, whether or not earlier ones were answered. Returns each one's
 * latency in ms.
 */
export async function steadily(perSecond: number, ms: number, next: (i: number) => Shot): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const end = performance.now() + ms
  const took = await startSteadily(
    perSecond,
    () => performance.now() < end,
    (i) => sendOne(agent, next(i)),
  )
  agent.destroy()
  return took
}

export async function startSteadily<T>(
  perSecond: number,
  isOn: () => boolean,
  start: (i: number) => Promise<T>,
): Promise<T[]> {
  const started: Promise<T>[] = []
  const began = performance.now()
  for (let i = 0; isOn(); i++) {
    started.push(start(i))
    await pause(began + ((i + 1) * 1000) / perSecond - performance.now())
  }
  return Promise.all(started)
}

function sendOne(agent: Agent, { port, method, path, headers, body }: Shot) {
  const sent = performance.now()
  return new Promise<number>((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(performance.now() - sent)
        else reject(new Error(`${method} ${path} answered ${response.statusCode}`))
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
