import { Worker } from 'node:worker_threads'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Doer } from './queue.ts'

/** What was started: a thread, or a process (`process.ts`). */
export type Started = {
  ref(): void
  unref(): void
  postMessage(asked: unknown): void
  /** Its first message says that it is ready; each one to it is then answered by one, in order. */
  onMessage(hear: (said: unknown) => void): void
  onError(hear: (fault: Error) => void): void
  onExit(hear: () => void): void
  terminate(): unknown
}

export type ThreadOptions = {
  /** What it is called in faults. */
  name: string
  script: URL
  /** What it has from its start on (`workerData`). */
  given?: unknown
  start?: (script: URL, name: string, given: unknown) => Started
  startWithinMs?: number
  idleAfterMs?: number
  /** Hears why the thread ended, or did not start. */
  onFault: (fault: Error) => void
}

/** For what hangs, not for what is slow: on a machine under load a start has taken half a minute. */
const usualStartMs = 180_000
/** Long enough for the next request of the same person, short enough to give the memory back the same minute. */
const usualIdleMs = 60_000

/**
 * One thread, for a queue of one place: started when it is first wanted and let go when idle because it holds much
 * memory. Whatever goes wrong ends it, and the next one who asks has another.
 */
export function openThread<Asked, Answer>({
  name,
  script,
  given,
  start: launch = startThread,
  startWithinMs = usualStartMs,
  idleAfterMs = usualIdleMs,
  onFault,
}: ThreadOptions): Doer<Asked, Answer> {
  let worker: Started | null = null
  let isReady = false
  let current: { answer: (answer: Answer) => void; fail: (reason: unknown) => void } | null = null
  /** Of a thread that starts: how long it may. Of one that is idle: how long it stays. */
  let timer: NodeJS.Timeout | undefined

  function start(on: { ready: () => void; failed: () => void }) {
    const started = launch(script, name, given)
    // Whoever waits keeps the process alive, a start that nobody waits for does not.
    started.unref()
    worker = started
    isReady = false
    timer = setTimeout(() => {
      onFault(new Error(`${name} took longer than ${startWithinMs} ms to start`))
      void stop()
      on.failed()
    }, startWithinMs).unref()
    started.onMessage((said) => {
      if (started !== worker) return
      clearTimeout(timer)
      if (isReady) finish()?.answer(said as Answer)
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
      // What keeps one from starting would keep the next from it: that is tried when somebody asks again.
      if (isReady) finish()?.fail(apiErrors.Unavailable({ retryAfterSeconds: 5 }))
      else on.failed()
    })
  }

  function work(asked: Asked): Promise<Answer> {
    clearTimeout(timer)
    return new Promise((answer, fail) => {
      current = { answer, fail }
      worker?.postMessage(asked)
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

  /** A thread in the middle of a computation hears nothing: ending it is the only way to stop it. */
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

function startThread(script: URL, name: string, given: unknown): Started {
  const thread = new Worker(script, { name, workerData: given, execArgv: loaderFor(script), env: {} })
  return {
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    postMessage: (asked) => thread.postMessage(asked),
    onMessage: (hear) => thread.on('message', hear),
    onError: (hear) => thread.on('error', hear),
    onExit: (hear) => thread.on('exit', hear),
    terminate: () => thread.terminate(),
  }
}

/** The file of a thread, beside the one that starts it: as source in development and tests, as an entry in the bundle. */
export const workerBeside = (from: string, name: string): URL =>
  new URL(`./${name}${isSource(from) ? '.ts' : '.js'}`, from)

function isSource(url: string | URL): boolean {
  return new URL(url).pathname.endsWith('.ts')
}

/** Node 20 reads no TypeScript, and tsx by itself takes on the main thread only: a thread has to ask for it. */
export function loaderFor(script: URL): string[] {
  if (!isSource(script)) return []
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return ['--import', `data:text/javascript,${encodeURIComponent(`import{register}from${tsx};register()`)}`]
}
