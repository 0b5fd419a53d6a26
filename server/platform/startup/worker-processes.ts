import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from './start-refusal.ts'

/**
 * Server processes on one port, started and supervised by this process, which serves no requests.
 */
export type WorkerProcesses = {
  /**
   * Resolves with the port when all processes listen. The first starts alone, so that a startup
   * error is printed once. Processes that exit later are replaced, with backoff while they are
   * short-lived.
   */
  start(): Promise<number>
  /** Running processes. */
  members(): Worker[]
  signal(signal: NodeJS.Signals): void
  /** Resolves when all processes have exited. */
  stop(): Promise<void>
}

type Options = {
  /** Script that each process runs. */
  script: string
  size: number
  /** Parameters that are not settings. */
  orders: object
  log: Logger
  /** Handles a message of one process. Returns false to forward it to the others. */
  hear: (member: Worker, said: object, members: Worker[]) => boolean
  /** Called for each process that is killed because it does not answer. */
  onHang: () => void
}

/** Returns the parameters of a worker process; null in a process that was started directly. */
export const ordersOf = <Orders extends object>(argv: readonly string[]): Orders | null =>
  cluster.isWorker && argv[2] === word ? JSON.parse(argv[3] ?? '') : null

const word = 'beside-others'

export function openWorkerProcesses({ script, size, orders, log, hear, onHang }: Options): WorkerProcesses {
  cluster.setupPrimary({ exec: script, args: [word, JSON.stringify(orders)] })
  const members = new Set<Worker>()
  let stopping = false

  function begin(): Promise<{ member: Worker; port: number }> {
    const member = cluster.fork()
    members.add(member)
    dropUntaken(member)
    const onPong = watchOver(member, () => {
      log.error({ member: member.process.pid }, 'killing a server process that did not answer for 10 s')
      onHang()
    })
    // Other messages, such as rate-limit counts, are forwarded to all other processes.
    member.on('message', (said) => {
      if ('pong' in said) return onPong()
      if (hear(member, said, [...members])) return
      for (const other of members) if (other !== member && other.isConnected()) other.send(said)
    })
    return new Promise((resolve, reject) => {
      member.once('listening', ({ port }) => resolve({ member, port }))
      member.once('exit', (code, signal) => {
        members.delete(member)
        reject(new StartupError(earlyEnd(code, signal)))
      })
    })
  }

  async function keepPlace(first: Worker): Promise<void> {
    let member: Worker | null = first
    for (let short = 0; !stopping; ) {
      const began = performance.now()
      if (member) await endOf(member)
      if (stopping) return
      short = performance.now() - began > settledMs ? 0 : short + 1
      log.error({ member: member?.process.pid }, 'a server process has ended, another takes its place')
      await wait(Math.min(firstPauseMs * 2 ** (short - 1), longestPauseMs))
      if (!stopping) member = (await begin().catch(() => null))?.member ?? null
    }
  }

  return {
    async start() {
      const { member: ahead, port } = await begin()
      const others = await Promise.all(Array.from({ length: size - 1 }, begin))
      for (const { member } of [{ member: ahead }, ...others]) void keepPlace(member)
      return port
    },
    members: () => [...members],
    signal(signal) {
      for (const member of members) member.process.kill(signal)
    },
    async stop() {
      stopping = true
      const ends = [...members].map(endOf)
      for (const member of members) member.process.kill('SIGTERM')
      await Promise.all(ends)
    },
  }
}

/**
 * Kills a process with a blocked event loop. It gets a ping every 2 s once it listens. Counts
 * pings, not time, so that a stall of this process kills none. Returns the function to call on a
 * pong.
 */
function watchOver(member: Worker, onHang: () => void): () => void {
  let unanswered = 0
  member.once('listening', () => {
    const timer = setInterval(() => {
      if (unanswered === mostUnanswered) {
        clearInterval(timer)
        onHang()
        member.process.kill('SIGKILL')
        return
      }
      unanswered += 1
      if (member.isConnected()) member.send({ ping: true })
    }, pingEveryMs)
    member.once('exit', () => clearInterval(timer))
  })
  return () => {
    unanswered = 0
  }
}

const pingEveryMs = 2_000
const mostUnanswered = 5

/** Answers the pings of the primary process. */
export function answerLeader(): void {
  process.on('message', (said: object) => {
    if ('ping' in said) process.send?.({ pong: true })
  })
}

/**
 * Node passes on one connection at a time and waits until it is accepted. A connection that a dying
 * worker did not accept would hang forever, so it is closed here.
 */
function dropUntaken({ process: child }: Worker): void {
  let last: Partial<Closing> | undefined
  const send = child.send.bind(child) as (...given: unknown[]) => boolean
  child.send = (message: { act?: string }, handle: unknown, ...more: unknown[]) => {
    if (message.act === 'newconn') last = handle as Partial<Closing>
    return send(message, handle, ...more)
  }
  child.once('exit', () => last?.close?.())
}

type Closing = { close(): void }

const endOf = (member: Worker): Promise<unknown> =>
  member.isDead() ? Promise.resolve() : new Promise((resolve) => member.once('exit', resolve))

/** A process that exits with code 1 has already printed its error. */
const earlyEnd = (code: number | null, signal: string | null): string =>
  signal
    ? `A server process was ended by ${signal} before it was ready.`
    : code && code !== 1
      ? `A server process has ended with code ${code} before it was ready.`
      : ''

/** A process that ran this long did not exit because of its startup. */
const settledMs = 30_000
const firstPauseMs = 250
const longestPauseMs = 30_000
