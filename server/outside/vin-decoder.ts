import type { Worker } from 'node:worker_threads'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { isVinShape } from '@keyturn/contract/kit/vin.ts'
import { startWorker, workerBeside } from '../workers/worker-beside.ts'

export type DecodedVin = {
  vin: string
  make: string
  model: string
  year: number
  /** Empty when the maker does not write it into the VIN; several, as in "L/LE", when it writes only so much. */
  trim: string
  /** "Sedan", "SUV", "Pickup"...: empty when not known. */
  bodyClass: string
}

export type VinDecoder = {
  /**
   * The car that a normalized VIN stands for; null when there is no such car in the data. This is the slow path,
   * a tenth of a second to a whole one: ask the answers kept in the database first.
   * Refuses `Unavailable` when it cannot say in time, which is never a word about the VIN, and `TooManyRequests` when
   * this asker waits for others already: one worker serves all, and nobody may take every place.
   */
  decode(vin: string, asker: string): Promise<DecodedVin | null>
  /** Somebody is about to ask: starts the worker and does not wait for it. */
  warm(): void
  close(): Promise<void>
}

/**
 * The embedded decoder: the vPIC data of NHTSA, which lie in a package, read by a worker of one VIN at a time.
 * A thread of its own because a look-up computes for a tenth of a second and more, and would hold up everyone;
 * started when it is first wanted and let go when idle because it holds some 160 MB. One start serves all who wait,
 * and no look-up's own time runs before the worker has begun it.
 */
export function openVinDecoder(options: Partial<Options> = {}): VinDecoder {
  const { answerWithinMs, waitAtMostMs, startWithinMs, idleAfterMs, waitingAtMost, waitingOfOne } = {
    ...usual,
    ...options,
  }
  const { script, onFault } = { ...usual, ...options }
  const waiting: LookUp[] = []
  let current: LookUp | null = null
  let worker: Worker | null = null
  let isReady = false
  /** Of a worker that starts: how long it may. Of one that is idle: how long it stays. */
  let workerTimer: NodeJS.Timeout | undefined
  let closed = false

  function decode(vin: string, asker: string): Promise<DecodedVin | null> {
    if (vin.length !== 17 || !isVinShape(vin)) return Promise.resolve(null)
    const there = current === null ? waiting : [current, ...waiting]
    if (there.filter((one) => one.asker === asker).length >= waitingOfOne)
      return Promise.reject(refuse.TooManyRequests({ retryAfterSeconds: 2 }))
    // While the worker starts, one of those who wait has the place of the one it will work on.
    if (closed || there.length > waitingAtMost) return Promise.reject(unavailable())
    return new Promise((answer, fail) => {
      const timer = setTimeout(() => leave(lookUp), waitAtMostMs)
      const lookUp: LookUp = { vin, asker, answer, fail, timer }
      waiting.push(lookUp)
      workOn()
    })
  }

  function warm() {
    if (closed) return
    if (worker === null) start()
    else if (isReady && current === null) rest()
  }

  /** Starts what is missing, or gives the next look-up to a worker that has nothing to do. */
  function workOn() {
    if (worker === null) start()
    worker?.ref()
    if (!isReady || current !== null) return
    const next = waiting.shift()
    if (next === undefined) return rest()
    clearTimeout(workerTimer)
    clearTimeout(next.timer)
    next.timer = setTimeout(giveUp, answerWithinMs)
    current = next
    worker?.postMessage(next.vin)
  }

  function start() {
    const started = startWorker('vin', script)
    // Whoever waits keeps the process alive, a start that nobody waits for does not.
    started.unref()
    worker = started
    isReady = false
    workerTimer = setTimeout(giveUpStart, startWithinMs).unref()
    started.on('message', (said: Said) => {
      if (started !== worker) return
      if (said === ready) isReady = true
      else finish((lookUp) => lookUp.answer(said))
      clearTimeout(workerTimer)
      workOn()
    })
    started.on('error', onFault)
    started.on('exit', () => {
      if (started === worker) lose()
    })
  }

  /** The worker has ended by itself. */
  function lose() {
    worker = null
    clearTimeout(workerTimer)
    // Whatever keeps one from starting would keep the next from it: that is tried when somebody asks again.
    if (!isReady) return refuseWaiting()
    // Not asked again: the VIN that brought one worker down would bring down the next.
    finish((lookUp) => lookUp.fail(unavailable()))
    if (waiting.length > 0) workOn()
  }

  function finish(tell: (lookUp: LookUp) => void) {
    const done = current
    current = null
    if (done === null) return
    clearTimeout(done.timer)
    tell(done)
  }

  function rest() {
    worker?.unref()
    clearTimeout(workerTimer)
    workerTimer = setTimeout(() => void stop(), idleAfterMs).unref()
  }

  /** Has waited as long as anybody should. The worker goes on: the next one who asks may find it ready. */
  function leave(lookUp: LookUp) {
    waiting.splice(waiting.indexOf(lookUp), 1)
    onFault(new Error(`VIN look-up waited longer than ${waitAtMostMs} ms for its turn`))
    lookUp.fail(unavailable())
    if (waiting.length === 0 && current === null) worker?.unref()
  }

  /** Whoever asked is told; the worker has as long again, because starting another takes longer than most delays. */
  function giveUp() {
    onFault(new Error(`VIN look-up took longer than ${answerWithinMs} ms`))
    if (current === null) return
    current.timer = setTimeout(endStuck, answerWithinMs)
    current.fail(unavailable())
  }

  /** A thread in the middle of a computation hears nothing: ending it is the only way to stop it. */
  function endStuck() {
    void stop()
    finish(() => undefined)
    if (waiting.length > 0) workOn()
  }

  function giveUpStart() {
    onFault(new Error(`VIN decoder took longer than ${startWithinMs} ms to start`))
    void stop()
    refuseWaiting()
  }

  function refuseWaiting() {
    for (const lookUp of waiting.splice(0)) {
      clearTimeout(lookUp.timer)
      lookUp.fail(unavailable())
    }
  }

  async function stop() {
    const stopped = worker
    worker = null
    clearTimeout(workerTimer)
    await stopped?.terminate()
  }

  async function close() {
    closed = true
    refuseWaiting()
    finish((lookUp) => lookUp.fail(unavailable()))
    await stop()
  }

  return { decode, warm, close }
}

/** What the worker says once, when it can take look-ups. */
const ready = 'ready'
type Said = typeof ready | DecodedVin | null

type Options = {
  answerWithinMs: number
  waitAtMostMs: number
  startWithinMs: number
  idleAfterMs: number
  waitingAtMost: number
  waitingOfOne: number
  script: URL
  /** Hears why a look-up was refused: the person who asked is only told to try again. */
  onFault: (fault: Error) => void
}

type LookUp = {
  vin: string
  asker: string
  answer: (car: DecodedVin | null) => void
  fail: (refusal: Error) => void
  /** While it waits: for its turn. Once begun: for its answer. */
  timer: NodeJS.Timeout
}

const usual: Options = {
  // As long as a person looks at a spinner beside a field; four times the slowest look-up seen.
  answerWithinMs: 5000,
  // With the time of the look-up itself just less than a page waits for any answer.
  waitAtMostMs: 24_000,
  // For what hangs, not for what is slow: on a machine under load a start has taken half a minute.
  startWithinMs: 180_000,
  // Long enough for the next car of the same person, short enough to give the memory back the same minute.
  idleAfterMs: 60_000,
  // What one worker answers within the time above on a slow machine; more would only wait to be refused.
  waitingAtMost: 12,
  // A person looks at one car at a time, now and then in two tabs.
  waitingOfOne: 2,
  script: workerBeside(import.meta.url, 'vin-worker'),
  onFault: () => undefined,
}

const unavailable = () => refuse.Unavailable({ retryAfterSeconds: 5 })
