import type { Worker } from 'node:worker_threads'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { startWorker, workerBeside } from '../workers/worker-beside.ts'
import type { SignedPaper } from './agreement-pdf.ts'

type Bytes = Uint8Array<ArrayBuffer>
export type Printer = {
  /** Refuses `Unavailable` when it cannot draw in time, and `TooManyRequests` when this reader waits for others already. */
  print(paper: SignedPaper, reader: string): Promise<Bytes>
  close(): Promise<void>
}

/** A busy machine is given time, a hanging thread is not: a hundred times what one paper takes. */
const usuallyWithinMs = 20_000
/** What is drawn within that time on a slow machine; more would only wait to be refused. */
const waitingAtMost = 16
/** A person reads one paper at a time, now and then in two tabs; nobody may take every place. */
const waitingOfOne = 2
/** Both sides of a deal often want it within the same minute; then the memory goes back. */
const idleAfterMs = 60_000

/**
 * Draws signed agreements in a thread of its own: the tenth of a second that one takes would hold up everyone, and the
 * drawing packages stay out of a process where nobody asks for a paper.
 */
export function openPrinter({
  printWithinMs = usuallyWithinMs,
  script = usualScript,
  onFault,
}: Options): Printer {
  const waiting: Job[] = []
  let worker: Worker | null = null
  let restTimer: NodeJS.Timeout | undefined

  function print(paper: SignedPaper, reader: string): Promise<Bytes> {
    if (waiting.filter((job) => job.reader === reader).length >= waitingOfOne)
      return Promise.reject(refuse.TooManyRequests({ retryAfterSeconds: 2 }))
    if (waiting.length >= waitingAtMost) return Promise.reject(unavailable())
    return new Promise((answer, fail) => {
      clearTimeout(restTimer)
      waiting.push({ reader, answer, fail, timer: setTimeout(giveUp, printWithinMs) })
      worker ??= start()
      worker.ref()
      worker.postMessage(paper)
    })
  }

  function start(): Worker {
    const started = startWorker('printer', script)
    started.on('message', (bytes: Bytes) => {
      if (started !== worker) return
      const job = waiting.shift()
      if (job) done(job).answer(bytes)
      if (waiting.length > 0) return
      worker.unref()
      restTimer = setTimeout(() => void stop(), idleAfterMs).unref()
    })
    started.on('error', (fault) => {
      onFault(fault)
      if (started === worker) void stop()
    })
    return started
  }

  function giveUp() {
    onFault(new Error(`Drawing took longer than ${printWithinMs} ms`))
    void stop()
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

type Options = {
  printWithinMs?: number
  script?: URL
  /** Hears why a paper was refused: whoever asked for it is only told to try again. */
  onFault: (fault: Error) => void
}

type Job = {
  reader: string
  answer: (bytes: Bytes) => void
  fail: (refusal: Error) => void
  timer: NodeJS.Timeout
}

function done(job: Job): Job {
  clearTimeout(job.timer)
  return job
}

const unavailable = () => refuse.Unavailable({ retryAfterSeconds: 5 })

const usualScript = workerBeside(import.meta.url, 'agreement-pdf-worker')
