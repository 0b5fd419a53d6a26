import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StartupError } from './startup-error.ts'

/** Server processes on one port, supervised by this process, which serves no requests. */
export type WorkerProcesses = {
  /**
   * Resolves with the port when all processes listen. The first starts alone, so that a startup
   * error is printed once. Processes that exit later are replaced, with backoff while they are
   * short-lived.
   */
  start(): Promise<number>
  /** Running processes. */
  workers(): Worker[]
  signal(signal: NodeJS.Signals): void
  /** Resolves when all processes have exited. */
  stop(): Promise<void>
}

type Options = {
  /** Script that each process runs. */
  script: string
  size: number
  /** Parameters that are not settings. */
  settings: object
  log: Logger
  /** Handles a message of one process. Returns false to forward it to the other processes. */
  onMessage: (worker: Worker, message: object, workers: Worker[]) => boolean
  /** Called for each process that is killed because it does not answer. */
  onHang: () => void
}

/** Returns the parameters of a worker process; null in a process that was started directly. */
export const readWorkerSettings = <Settings extends object>(argv: readonly string[]): Settings | null =>
  cluster.isWorker && argv[2] === workerMark ? JSON.parse(argv[3] ?? '') : null

const workerMark = 'beside-others'

export function startWorkerProcesses({
  script,
  size,
  settings,
  log,
  onMessage,
  onHang,
}: Options): WorkerProcesses {
  cluster.setupPrimary({ exec: script, args: [workerMark, JSON.stringify(settings)] })
  const workers = new Set<Worker>()
  let isStopping = false

  function startWorker(): Promise<{ worker: Worker; port: number }> {
    const worker = cluster.fork()
    workers.add(worker)
    closeUnaccepted(worker)
    const onPong = monitorWorker(worker, () => {
      log.error({ worker: worker.process.pid }, 'killing a server process that did not answer for 10 s')
      onHang()
    })
    // Other messages, such as rate-limit counts, are forwarded to all other processes.
    worker.on('message', (message) => {
      if ('pong' in message) return onPong()
      if (onMessage(worker, message, [...workers])) return
      for (const other of workers) if (other !== worker && other.isConnected()) other.send(message)
    })
    return new Promise((resolve, reject) => {
      worker.once('listening', ({ port }) => resolve({ worker, port }))
      worker.once('exit', (code, signal) => {
        workers.delete(worker)
        reject(new StartupError(earlyExitMessage(code, signal)))
      })
    })
  }

  async function superviseWorker(first: Worker): Promise<void> {
    let worker: Worker | null = first
    for (let failures = 0; !isStopping; ) {
      const began = performance.now()
      if (worker) await waitForExit(worker)
      if (isStopping) return
      failures = performance.now() - began > stableMs ? 0 : failures + 1
      log.error({ worker: worker?.process.pid }, 'a server process has ended and is being replaced')
      await wait(Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs))
      if (!isStopping) worker = (await startWorker().catch(() => null))?.worker ?? null
    }
  }

  return {
    async start() {
      const { worker: first, port } = await startWorker()
      const others = await Promise.all(Array.from({ length: size - 1 }, startWorker))
      for (const { worker } of [{ worker: first }, ...others]) void superviseWorker(worker)
      return port
    },
    workers: () => [...workers],
    signal(signal) {
      for (const worker of workers) worker.process.kill(signal)
    },
    async stop() {
      isStopping = true
      const ends = [...workers].map(waitForExit)
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(ends)
    },
  }
}

/**
 * Kills a process with a blocked event loop. It gets a ping every 2 s once it listens. Counts
 * pings, not time, so that a stall of this process kills none. Returns the function to call on a
 * pong.
 */
function monitorWorker(worker: Worker, onHang: () => void): () => void {
  let unanswered = 0
  worker.once('listening', () => {
    const timer = setInterval(() => {
      if (unanswered === maxUnanswered) {
        clearInterval(timer)
        onHang()
        worker.process.kill('SIGKILL')
        return
      }
      unanswered += 1
      if (worker.isConnected()) worker.send({ ping: true })
    }, pingEveryMs)
    worker.once('exit', () => clearInterval(timer))
  })
  return () => {
    unanswered = 0
  }
}

const pingEveryMs = 2_000
const maxUnanswered = 5

/** Answers the pings of the primary process. */
export function answerPings(): void {
  process.on('message', (message: object) => {
    if ('ping' in message) process.send?.({ pong: true })
  })
}

/**
 * Node passes on one connection at a time and waits until it is accepted. A connection that a dying
 * worker did not accept would hang forever, so it is closed here.
 */
function closeUnaccepted({ process: child }: Worker): void {
  let last: Partial<Closing> | undefined
  const send = child.send.bind(child) as (...given: unknown[]) => boolean
  child.send = (message: { act?: string }, handle: unknown, ...more: unknown[]) => {
    if (message.act === 'newconn') last = handle as Partial<Closing>
    return send(message, handle, ...more)
  }
  child.once('exit', () => last?.close?.())
}

type Closing = { close(): void }

const waitForExit = (worker: Worker): Promise<unknown> =>
  worker.isDead() ? Promise.resolve() : new Promise((resolve) => worker.once('exit', resolve))

/** A process that exits with code 1 has already printed its error. */
const earlyExitMessage = (code: number | null, signal: string | null): string =>
  signal
    ? `A server process was ended by ${signal} before it was ready.`
    : code && code !== 1
      ? `A server process has ended with code ${code} before it was ready.`
      : ''

/** A process that ran this long did not exit because of its startup. */
const stableMs = 30_000
const firstPauseMs = 250
const maxPauseMs = 30_000
