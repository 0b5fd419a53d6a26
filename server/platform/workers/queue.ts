import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'

/** Runs CPU-heavy work with limited concurrency. */
export type Queue<Asked, Answer> = {
  /**
   * Rejects with `Unavailable` on a timeout, with `whenFull()` when the queue is full or closed,
   * and with `TooManyRequests` when the caller has too many entries.
   */
  ask(asked: Asked, caller?: string): Promise<Answer>
  /** Starts the worker ahead of an expected request, without waiting. */
  warm(): void
  /** Rejects all waiting and all later requests. */
  close(): Promise<void>
}

/**
 * Runs the work: a thread (`openThread`), or a function with threads of its own (`inThisProcess`).
 */
export type Doer<Asked, Answer> = {
  state(): 'stopped' | 'starting' | 'ready'
  /** Calls `ready` once, or `failed` if it cannot start. */
  start(on: { ready: () => void; failed: () => void }): void
  /** Rejects if the worker exits before it answers. */
  work(asked: Asked): Promise<Answer>
  /** Keeps the process alive while a request is waiting. */
  hold(isUserWaiting: boolean): void
  /** Tells it that it is idle, so that it may exit after a while. */
  rest(): void
  stop(): Promise<void>
}

export type Limits = {
  /** Maximum concurrency. */
  places: number
  /** Maximum number of waiting requests, in addition to the running ones. */
  waitingAtMost: number
  /** Maximum number per caller, waiting and running. */
  ofOneAsker?: number
  /** Maximum time in the queue, including the start of the worker. */
  waitAtMostMs?: number
  /**
   * Time limit for the work alone. The request fails after this time, and the worker is stopped
   * after twice this time.
   */
  answerWithinMs?: number
}

type Options<Asked, Answer> = {
  /** Name of one unit of work in error messages. */
  name: string
  doer: Doer<Asked, Answer>
  limits: Limits
  whenFull?: () => ApiError
  /** Gets the reason of a rejection; the caller only learns that it should retry. */
  onFault?: (fault: Error) => void
}

type Place<Asked, Answer> = {
  asked: Asked
  caller: string
  answer: (answer: Answer) => void
  fail: (reason: unknown) => void
  /** While waiting, limits the time in the queue; once started, the time of the work. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Opens a queue in front of one worker. The time limit of a request starts only when its own work
 * starts.
 */
export function openQueue<Asked, Answer>({
  name,
  doer,
  limits: { places, waitingAtMost, ofOneAsker, waitAtMostMs, answerWithinMs },
  whenFull = unavailable,
  onFault = () => undefined,
}: Options<Asked, Answer>): Queue<Asked, Answer> {
  type One = Place<Asked, Answer>
  const waiting: One[] = []
  const running = new Set<One>()
  let closed = false

  function ask(asked: Asked, caller = ''): Promise<Answer> {
    const there = [...running, ...waiting]
    if (ofOneAsker && there.filter((one) => one.caller === caller).length >= ofOneAsker)
      return Promise.reject(apiErrors.TooManyRequests({ retryAfterSeconds: 2 }))
    if (closed || there.length >= places + waitingAtMost) return Promise.reject(whenFull())
    return new Promise((answer, fail) => {
      const one: One = { asked, caller, answer, fail, timer: undefined }
      if (waitAtMostMs) one.timer = setTimeout(() => leave(one, waitAtMostMs), waitAtMostMs)
      waiting.push(one)
      workOn()
    })
  }

  function warm() {
    if (closed) return
    if (doer.state() === 'stopped') doer.start({ ready: workOn, failed: refuseWaiting })
    else if (doer.state() === 'ready' && running.size === 0) doer.rest()
  }

  /** Starts the worker if it is stopped, or as many requests as the concurrency allows. */
  function workOn() {
    if (doer.state() === 'stopped') doer.start({ ready: workOn, failed: refuseWaiting })
    doer.hold(true)
    if (doer.state() !== 'ready') return
    while (running.size < places) {
      const next = waiting.shift()
      if (next === undefined) break
      begin(next)
    }
    if (running.size === 0) doer.rest()
  }

  function begin(one: One) {
    clearTimeout(one.timer)
    one.timer = answerWithinMs ? setTimeout(() => giveUp(one, answerWithinMs), answerWithinMs) : undefined
    running.add(one)
    doer.work(one.asked).then(
      (answer) => finish(one, () => one.answer(answer)),
      // Not retried: the same input would probably crash the worker again.
      (reason) => finish(one, () => one.fail(reason)),
    )
  }

  function finish(one: One, tell: () => void) {
    if (!running.delete(one)) return
    clearTimeout(one.timer)
    tell()
    if (waiting.length > 0 || doer.state() === 'ready') workOn()
  }

  /**
   * Rejects a request that waited too long. A starting worker is not stopped, so that the next
   * request may find it ready.
   */
  function leave(one: One, ms: number) {
    waiting.splice(waiting.indexOf(one), 1)
    onFault(new Error(`${name} waited longer than ${ms} ms for its turn`))
    one.fail(unavailable())
    if (waiting.length === 0 && running.size === 0) doer.hold(false)
  }

  /**
   * Rejects the request, but lets the worker run as long again, because a restart takes longer than
   * most delays.
   */
  function giveUp(one: One, ms: number) {
    onFault(new Error(`${name} took longer than ${ms} ms`))
    one.timer = setTimeout(() => endStuck(one), ms)
    one.fail(unavailable())
  }

  function endStuck(one: One) {
    running.delete(one)
    void doer.stop()
    if (waiting.length > 0) workOn()
  }

  function refuseWaiting() {
    refuseAll(waiting.splice(0))
  }

  function refuseAll(those: Iterable<One>) {
    for (const one of those) {
      clearTimeout(one.timer)
      one.fail(unavailable())
    }
  }

  async function close() {
    closed = true
    refuseWaiting()
    refuseAll(running)
    running.clear()
    await doer.stop()
  }

  return { ask, warm, close }
}

/** For libraries that run work in their own threads. */
export const inThisProcess = <Asked, Answer>(
  work: (asked: Asked) => Promise<Answer>,
): Doer<Asked, Answer> => ({
  state: () => 'ready',
  start: () => undefined,
  work,
  hold: () => undefined,
  rest: () => undefined,
  stop: () => Promise.resolve(),
})

const unavailable = () => apiErrors.Unavailable({ retryAfterSeconds: 5 })
