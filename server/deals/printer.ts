import { Worker } from 'node:worker_threads'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import type { SignedPaper } from './agreement-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type Printer = { print(paper: SignedPaper): Promise<Bytes>; close(): Promise<void> }

/** A busy machine is given time, a hanging thread is not: a hundred times what one paper takes. */
const usuallyWithinMs = 20_000
/** What is drawn within that time on a slow machine; more would only wait to be refused. */
const waitingAtMost = 16
/** Both sides of a deal often want it within the same minute; then the memory goes back. */
const idleAfterMs = 60_000

/**
 * Draws signed agreements in a thread of its own: the tenth of a second that one takes would hold up everyone, and the
 * drawing packages stay out of a process where nobody asks for a paper.
 */
export function openPrinter(printWithinMs = usuallyWithinMs): Printer {
  const waiting: Job[] = []
  let worker: Worker | null = null
  let restTimer: NodeJS.Timeout | undefined

  function print(paper: SignedPaper): Promise<Bytes> {
    if (waiting.length >= waitingAtMost) return Promise.reject(unavailable())
    return new Promise((answer, fail) => {
      clearTimeout(restTimer)
      waiting.push({ answer, fail, timer: setTimeout(() => void stop(), printWithinMs) })
      worker ??= start()
      worker.ref()
      worker.postMessage(paper)
    })
  }

  function start(): Worker {
    const started = new Worker(script, { name: 'printer', execArgv: loader, env: {} })
    started.on('message', (bytes: Bytes) => {
      if (started !== worker) return
      const job = waiting.shift()
      if (job) done(job).answer(bytes)
      if (waiting.length > 0) return
      worker.unref()
      restTimer = setTimeout(() => void stop(), idleAfterMs).unref()
    })
    started.on('error', () => {
      if (started === worker) void stop()
    })
    return started
  }

  async function stop() {
    clearTimeout(restTimer)
    const stopped = worker
    worker = null
    for (const job of waiting.splice(0)) done(job).fail(unavailable())
    await stopped?.terminate()
  }

  return { print, close: stop }
}

type Job = { answer: (bytes: Bytes) => void; fail: (refusal: Error) => void; timer: NodeJS.Timeout }

function done(job: Job): Job {
  clearTimeout(job.timer)
  return job
}

const unavailable = () => refuse.Unavailable({ retryAfterSeconds: 5 })

// The worker lies beside this file: as source in development and tests, as its own entry in the bundle.
const isSource = new URL(import.meta.url).pathname.endsWith('.ts')
const script = new URL(`./agreement-pdf-worker${isSource ? '.ts' : '.js'}`, import.meta.url)

/** Node 20 reads no TypeScript, and tsx by itself takes on the main thread only: a worker has to ask for it. */
const loader = isSource ? ['--import', `data:text/javascript,${encodeURIComponent(registerTsx())}`] : []

function registerTsx(): string {
  return `import{register}from${JSON.stringify(import.meta.resolve('tsx/esm/api'))};register()`
}
