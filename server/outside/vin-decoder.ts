import type { Worker } from 'node:worker_threads'
import { refuse } from '@keyturn/contract/kit/refusal.ts'
import { isVinShape } from '@keyturn/contract/kit/vin.ts'
import { startWorker, workerBeside } from '../worker-beside.ts'

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
  close(): Promise<void>
}

/**
 * The embedded decoder: the vPIC data of NHTSA, which lie in a package, read by a worker of one VIN at a time.
 * A thread of its own because a look-up computes for a tenth of a second and more, and would hold up everyone;
 * started by the first look-up and let go when idle because it holds some 160 MB.
 */
export function openVinDecoder(options: Partial<Options> = {}): VinDecoder {
  const { answerWithinMs, idleAfterMs, waitingAtMost, waitingOfOne, script, onFault } = {
    ...usual,
    ...options,
  }
  const waiting: LookUp[] = []
  let current: LookUp | null = null
  let worker: Worker | null = null
  let restTimer: NodeJS.Timeout | undefined
  let closed = false

  function decode(vin: string, asker: string): Promise<DecodedVin | null> {
    if (vin.length !== 17 || !isVinShape(vin)) return Promise.resolve(null)
    if ([current, ...waiting].filter((one) => one?.asker === asker).length >= waitingOfOne)
      return Promise.reject(refuse.TooManyRequests({ retryAfterSeconds: 2 }))
    if (closed || waiting.length >= waitingAtMost) return Promise.reject(unavailable())
    return new Promise((answer, fail) => {
      const timer = setTimeout(() => giveUp(lookUp), answerWithinMs)
      const lookUp: LookUp = { vin, asker, answer, fail, timer }
      waiting.push(lookUp)
      workOn()
    })
  }

  function workOn() {
    const next = current === null ? waiting.shift() : undefined
    if (next === undefined) return
    clearTimeout(restTimer)
    current = next
    worker ??= start()
    worker.ref()
    worker.postMessage(next.vin)
  }

  function start(): Worker {
    const started = startWorker('vin', script)
    started.on('message', (answer: DecodedVin | null) => {
      if (started === worker) finish((lookUp) => lookUp.answer(answer))
    })
    started.on('error', onFault)
    started.on('exit', () => {
      if (started !== worker) return
      worker = null
      // Not asked again: the VIN that brought one worker down would bring down the next.
      finish((lookUp) => lookUp.fail(unavailable()))
    })
    return started
  }

  function finish(tell: (lookUp: LookUp) => void) {
    const done = current
    current = null
    if (done !== null) {
      clearTimeout(done.timer)
      tell(done)
    }
    if (waiting.length > 0) workOn()
    else rest()
  }

  function rest() {
    worker?.unref()
    clearTimeout(restTimer)
    restTimer = setTimeout(() => void stop(), idleAfterMs).unref()
  }

  function giveUp(lookUp: LookUp) {
    const place = waiting.indexOf(lookUp)
    if (place >= 0) waiting.splice(place, 1)
    lookUp.fail(unavailable())
    if (lookUp !== current) return
    // A thread in the middle of a computation hears nothing: ending it is the only way to stop it.
    onFault(new Error(`VIN look-up took longer than ${answerWithinMs} ms`))
    void stop()
    finish(() => undefined)
  }

  async function stop() {
    const stopped = worker
    worker = null
    await stopped?.terminate()
  }

  async function close() {
    closed = true
    clearTimeout(restTimer)
    for (const lookUp of [...waiting.splice(0), ...(current === null ? [] : [current])]) {
      clearTimeout(lookUp.timer)
      lookUp.fail(unavailable())
    }
    current = null
    await stop()
  }

  return { decode, close }
}

type Options = {
  answerWithinMs: number
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
  timer: NodeJS.Timeout
}

const usual: Options = {
  // As long as a person looks at a spinner beside a field; four times the slowest look-up seen.
  answerWithinMs: 5000,
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
