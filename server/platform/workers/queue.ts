import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'

/** Runs CPU-heavy work with limited concurrency. */
export type Queue<Input, Answer> = {
  /**
   * Rejects with `Unavailable` on a timeout, with `whenFull()` when the queue is full or closed,
   * and with `TooManyRequests` when the caller has too many entries.
   */
  ask(input: Input, caller?: string): Promise<Answer>
  /** Starts the worker ahead of an expected request, without waiting. */
  warm(): void
  /** Rejects all waiting and all later requests. */
  close(): Promise<void>
}

/**
 * Runs the work: a thread (`createThreadWorker`), or a function with threads of its own (`createInProcessWorker`).
 */
export type QueueWorker<Input, Answer> = {
  state(): 'stopped' | 'starting' | 'ready'
  /** Calls `ready` once, or `failed` if it cannot start. */
  start(on: { ready: () => void; failed: () => void }): void
  /** Rejects if the worker exits before it answers. */
  work(input: Input): Promise<Answer>
  /** Keeps the process alive while a request is waiting. */
  hold(isWaitedFor: boolean): void
  /** Tells the worker that it is idle, so that it may exit after a while. */
  rest(): void
  stop(): Promise<void>
}

export type QueueLimits = {
  /** Maximum concurrency. */
  places: number
  /** Maximum number of waiting requests, in addition to the running ones. */
  maxWaiting: number
  maxPerCaller?: number
  /** Maximum time in the queue, including the start of the worker. */
  maxWaitMs?: number
  /**
   * Time limit for the work alone. The request fails after this time, and the worker is stopped
   * after twice this time.
   */
  maxRunMs?: number
}

type Options<Input, Answer> = {
  /** Name of one unit of work in error messages. */
  name: string
  worker: QueueWorker<Input, Answer>
  limits: QueueLimits
  whenFull?: () => ApiError
  /** Gets the reason of a rejection; the caller only learns that it should retry. */
  onFault?: (fault: Error) => void
}

type Entry<Input, Answer> = {
  input: Input
  caller: string
  answer: (answer: Answer) => void
  fail: (reason: unknown) => void
  /** While waiting, limits the time in the queue; once started, the time of the work. */
  timer: NodeJS.Timeout | undefined
}

/**
 * Opens a queue for one worker. `maxWaitMs` limits the time in the queue; `maxRunMs` starts when
 * the worker begins the request.
 */
export function createQueue<Input, Answer>({
  name,
  worker,
  limits: { places, maxWaiting, maxPerCaller, maxWaitMs, maxRunMs },
  whenFull = unavailable,
  onFault = () => undefined,
}: Options<Input, Answer>): Queue<Input, Answer> {
  type One = Entry<Input, Answer>
  const waiting: One[] = []
  const running = new Set<One>()
  let isClosed = false

  function ask(input: Input, caller = ''): Promise<Answer> {
    const present = [...running, ...waiting]
    if (maxPerCaller && present.filter((one) => one.caller === caller).length >= maxPerCaller)
      return Promise.reject(apiErrors.TooManyRequests({ retryAfterSeconds: 2 }))
    if (isClosed || present.length >= places + maxWaiting) return Promise.reject(whenFull())
    return new Promise((answer, fail) => {
      const one: One = { input, caller, answer, fail, timer: undefined }
      if (maxWaitMs) one.timer = setTimeout(() => timeOutWaiting(one, maxWaitMs), maxWaitMs)
      waiting.push(one)
      startNext()
    })
  }

  function warm() {
    if (isClosed) return
    if (worker.state() === 'stopped') worker.start({ ready: startNext, failed: rejectWaiting })
    else if (worker.state() === 'ready' && running.size === 0) worker.rest()
  }

  /** Starts the worker if it is stopped, or as many requests as the concurrency allows. */
  function startNext() {
    if (worker.state() === 'stopped') worker.start({ ready: startNext, failed: rejectWaiting })
    worker.hold(true)
    if (worker.state() !== 'ready') return
    while (running.size < places) {
      const next = waiting.shift()
      if (next === undefined) break
      begin(next)
    }
    if (running.size === 0) worker.rest()
  }

  function begin(one: One) {
    clearTimeout(one.timer)
    one.timer = maxRunMs ? setTimeout(() => timeOutWork(one, maxRunMs), maxRunMs) : undefined
    running.add(one)
    worker.work(one.input).then(
      (answer) => finish(one, () => one.answer(answer)),
      // Not retried: the same input would probably crash the worker again.
      (reason) => finish(one, () => one.fail(reason)),
    )
  }

  function finish(one: One, settle: () => void) {
    if (!running.delete(one)) return
    clearTimeout(one.timer)
    settle()
    if (waiting.length > 0 || worker.state() === 'ready') startNext()
  }

  /**
   * Rejects a request that waited too long. A starting worker is not stopped, so that the next
   * request may find it ready.
   */
  function timeOutWaiting(one: One, ms: number) {
    waiting.splice(waiting.indexOf(one), 1)
    onFault(new Error(`${name} waited longer than ${ms} ms for its turn`))
    one.fail(unavailable())
    if (waiting.length === 0 && running.size === 0) worker.hold(false)
  }

  /**
   * Rejects the request. The worker gets the same time again, because a restart would take longer.
   */
  function timeOutWork(one: One, ms: number) {
    onFault(new Error(`${name} took longer than ${ms} ms`))
    one.timer = setTimeout(() => stopStuck(one), ms)
    one.fail(unavailable())
  }

  function stopStuck(one: One) {
    running.delete(one)
    void worker.stop()
    if (waiting.length > 0) startNext()
  }

  function rejectWaiting() {
    rejectAll(waiting.splice(0))
  }

  function rejectAll(those: Iterable<One>) {
    for (const one of those) {
      clearTimeout(one.timer)
      one.fail(unavailable())
    }
  }

  async function close() {
    isClosed = true
    rejectWaiting()
    rejectAll(running)
    running.clear()
    await worker.stop()
  }

  return { ask, warm, close }
}

/** For libraries that run work in their own threads. */
export const createInProcessWorker = <Input, Answer>(
  work: (input: Input) => Promise<Answer>,
): QueueWorker<Input, Answer> => ({
  state: () => 'ready',
  start: () => undefined,
  work,
  hold: () => undefined,
  rest: () => undefined,
  stop: () => Promise.resolve(),
})

const unavailable = () => apiErrors.Unavailable({ retryAfterSeconds: 5 })
