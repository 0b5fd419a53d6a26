import { Worker } from 'node:worker_threads'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { QueueWorker } from './queue.ts'

/** A started thread, or a started process (`start-process.ts`). */
export type StartedWorker = {
  ref(): void
  unref(): void
  postMessage(input: unknown): void
  /** The first message means that it is ready. Each later message answers one request, in order. */
  onMessage(handler: (message: unknown) => void): void
  onError(handler: (fault: Error) => void): void
  onExit(handler: () => void): void
  terminate(): unknown
}

export type ThreadOptions = {
  /** Name in error messages. */
  name: string
  script: URL
  /** Initial data of the thread (`workerData`). */
  given?: unknown
  start?: (script: URL, name: string, given: unknown) => StartedWorker
  startWithinMs?: number
  idleAfterMs?: number
  /** Called when the thread crashed or did not start. */
  onFault: (fault: Error) => void
}

/** Catches a start that hangs. Under load, a normal start has taken 30 s. */
const defaultStartMs = 180_000
/** Long enough for the next request of the same user, short enough to free the memory soon. */
const defaultIdleMs = 60_000

/**
 * Runs one thread for a queue with concurrency 1. It starts on first use and stops when idle,
 * because it uses a lot of memory. Any failure ends it; the next request starts a new one.
 */
export function createThreadWorker<Input, Answer>({
  name,
  script,
  given,
  start: launch = startThread,
  startWithinMs = defaultStartMs,
  idleAfterMs = defaultIdleMs,
  onFault,
}: ThreadOptions): QueueWorker<Input, Answer> {
  let worker: StartedWorker | null = null
  let isReady = false
  let current: { answer: (answer: Answer) => void; fail: (reason: unknown) => void } | null = null
  /** Limits the start of a starting thread, or the idle time of an idle one. */
  let timer: NodeJS.Timeout | undefined

  function start(on: { ready: () => void; failed: () => void }) {
    const started = launch(script, name, given)
    // A waiting request keeps the process alive; a start without one does not.
    started.unref()
    worker = started
    isReady = false
    timer = setTimeout(() => {
      onFault(new Error(`${name} took longer than ${startWithinMs} ms to start`))
      void stop()
      on.failed()
    }, startWithinMs).unref()
    started.onMessage((message) => {
      if (started !== worker) return
      clearTimeout(timer)
      if (isReady) finish()?.answer(message as Answer)
      else {
        isReady = true
        on.ready()
      }
    })
    started.onError(onFault)
    started.onExit(() => {
      if (started !== worker) return
      worker = null
      clearTimeout(timer)
      // The next start would probably fail too, so it is only retried on the next request.
      if (isReady) finish()?.fail(apiErrors.Unavailable({ retryAfterSeconds: 5 }))
      else on.failed()
    })
  }

  function work(input: Input): Promise<Answer> {
    clearTimeout(timer)
    return new Promise((answer, fail) => {
      current = { answer, fail }
      worker?.postMessage(input)
    })
  }

  function finish() {
    const done = current
    current = null
    return done
  }

  function rest() {
    worker?.unref()
    clearTimeout(timer)
    timer = setTimeout(() => void stop(), idleAfterMs).unref()
  }

  /** A busy thread processes no messages, so it can only be terminated. */
  async function stop() {
    const stopped = worker
    worker = null
    current = null
    clearTimeout(timer)
    await stopped?.terminate()
  }

  return {
    state: () => (worker === null ? 'stopped' : isReady ? 'ready' : 'starting'),
    start,
    work,
    hold: (isWaitedFor) => (isWaitedFor ? worker?.ref() : worker?.unref()),
    rest,
    stop,
  }
}

function startThread(script: URL, name: string, given: unknown): StartedWorker {
  const thread = new Worker(script, { name, workerData: given, execArgv: loaderFor(script), env: {} })
  return {
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    postMessage: (input) => thread.postMessage(input),
    onMessage: (handler) => thread.on('message', handler),
    onError: (handler) => thread.on('error', handler),
    onExit: (handler) => thread.on('exit', handler),
    terminate: () => thread.terminate(),
  }
}

/**
 * Returns the URL of a worker script next to the caller: source in development and tests, an entry
 * file in the bundle.
 */
export const workerUrl = (from: string, name: string): URL =>
  new URL(`./${name}${isSource(from) ? '.ts' : '.js'}`, from)

function isSource(url: string | URL): boolean {
  return new URL(url).pathname.endsWith('.ts')
}

/**
 * Returns the `execArgv` for TypeScript workers. Node 20 cannot run TypeScript, and tsx registers
 * itself only in the main thread.
 */
export function loaderFor(script: URL): string[] {
  if (!isSource(script)) return []
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return ['--import', `data:text/javascript,${encodeURIComponent(`import{register}from${tsx};register()`)}`]
}
