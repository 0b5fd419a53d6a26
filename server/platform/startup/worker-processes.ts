import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from './start-refusal.ts'

/** Several processes on one port, each a server of its own, started and ended by this one, which serves nobody. */
export type WorkerProcesses = {
  /**
   * Resolves with the port when all of them listen. The first goes ahead: what keeps one from starting keeps all, and is
   * said once. Later one that has ended is followed by another, after a pause that grows while they do not last.
   */
  start(): Promise<number>
  /** Those that run now. */
  members(): Worker[]
  /** To all of them. */
  signal(signal: NodeJS.Signals): void
  /** Ends when the last of them has. */
  stop(): Promise<void>
}

type Options = {
  /** What each of them runs. */
  script: string
  size: number
  /** What they need to know and the settings do not say. */
  orders: object
  log: Logger
  /** Hears what one says; true: it was for this one alone. */
  hear: (member: Worker, said: object, members: Worker[]) => boolean
  /** Called for each process that is killed because it does not answer. */
  onHang: () => void
}

/** What a process of a crew was told; null in one that was started by itself. */
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
    // What one has to say, such as what it has counted, is for all others.
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
 * Kills a process whose event loop stands still: it is sent a ping every two seconds once it serves. Pings are counted, not
 * seconds, so that a leader that stood still itself kills nobody. Returns what an answer calls.
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

/** In a process of a crew: answers the pings of its leader. */
export function answerLeader(): void {
  process.on('message', (said: object) => {
    if ('ping' in said) process.send?.({ pong: true })
  })
}

/**
 * Node hands on one connection at a time and waits until it is taken: one that its member has not taken when it dies would
 * hang for ever, with nobody to answer.
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

/** One that could not go on has said so itself. */
const earlyEnd = (code: number | null, signal: string | null): string =>
  signal
    ? `A server process was ended by ${signal} before it was ready.`
    : code && code !== 1
      ? `A server process has ended with code ${code} before it was ready.`
      : ''

/** One that has lasted so long has not ended because of how it starts. */
const settledMs = 30_000
const firstPauseMs = 250
const longestPauseMs = 30_000
