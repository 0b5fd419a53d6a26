import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

type OutgoingRequest = {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Sends requests at a constant rate without waiting for responses. Returns the latencies in ms. */
export async function sendSteadily(
  perSecond: number,
  ms: number,
  next: (i: number) => OutgoingRequest,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const end = performance.now() + ms
  const latencies = await startSteadily(
    perSecond,
    () => performance.now() < end,
    (i) => sendOne(agent, next(i)),
  )
  agent.destroy()
  return latencies
}

/** Calls `start` at a constant rate while `isRunning`. Returns all results. */
export async function startSteadily<T>(
  perSecond: number,
  isRunning: () => boolean,
  start: (i: number) => Promise<T>,
): Promise<T[]> {
  const started: Promise<T>[] = []
  const began = performance.now()
  for (let i = 0; isRunning(); i++) {
    started.push(start(i))
    await pause(began + ((i + 1) * 1000) / perSecond - performance.now())
  }
  return Promise.all(started)
}

function sendOne(agent: Agent, { port, method, path, headers, body }: OutgoingRequest) {
  const sent = performance.now()
  return new Promise<number>((resolve, reject) => {
    const outgoing = request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(performance.now() - sent)
        else reject(new Error(`${method} ${path} responded ${response.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
