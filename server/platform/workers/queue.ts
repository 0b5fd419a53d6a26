import { type ApiError, apiErrors } from '@keyturn/contract/shared/error.ts'

/** Work that computes for long, a few at a time, so that it holds up nobody else. */
export type Queue<Asked, Answer> = {
  /**
   * Refuses `Unavailable` (or what `whenFull` makes) when every place is taken or no answer comes in time, and
   * `TooManyRequests` when this caller has as many places as one may have.
   */
  ask(asked: Asked, caller?: string): Promise<Answer>
  /** Somebody is about to ask: starts what does the work and does not wait for it. */
  warm(): void
  /** Refuses whoever waits, and whoever asks from now on. */
  close(): Promise<void>
}

/** What does the work: a thread (`openThread`), or a function that has threads of its own (`inThisProcess`). */
export type Doer<Asked, Answer> = {
  state(): 'stopped' | 'starting' | 'ready'
  /** Hears `ready` once, or `failed` when it cannot start. */
  start(on: { ready: () => void; failed: () => void }): void
  /** Rejects when the doer ended in the middle of it. */
  work(asked: Asked): Promise<Answer>
  /** Whether anybody waits: the process stays alive for them. */
  hold(isWaitedFor: boolean): void
  /** It has nothing to do: it may end after a while. */
  rest(): void
  stop(): Promise<void>
}

export type Limits = {
  /** How many are worked on at a time. */
  places: number
  /** Besides those that are worked on. */
  waitingAtMost: number
  /** Of one caller, the one that is worked on among them. */
  ofOneAsker?: number
  /** For a turn, the start of the doer among it. */
  waitAtMostMs?: number
  /** For the work alone. Whoever asked is refused then; after twice the time the doer is stuck and ended. */
  answerWithinMs?: number
}

type Options<Asked, Answer> = {
  /** What one piece of work is called in faults. */
  name: string
  doer: Doer<Asked, Answer>
  limits: Limits
  whenFull?: () => ApiError
  /** Hears why somebody was refused: whoever asked is only told to try again. */
  onFault?: (fault: Error) => void
}

type Place<Asked, Answer> = {
  asked: Asked
  caller: string
  answer: (answer: Answer) => void
  fail: (reason: unknown) => void
  /** While it waits: for its turn. Once begun: for its answer. */
  timer: NodeJS.Timeout | undefined
}

/** One start of the doer serves all who wait, and nobody's own time runs before the work on theirs has begun. */
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

  /** Starts what is missing, or begins as many as there are places. */
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
      // Not asked again: what brought the doer down once would do so again.
      (reason) => finish(one, () => one.fail(reason)),
    )
  }

  function finish(one: One, tell: () => void) {
    if (!running.delete(one)) return
    clearTimeout(one.timer)
    tell()
    if (waiting.length > 0 || doer.state() === 'ready') workOn()
  }

  /** Has waited as long as anybody should. A start goes on: the next one who asks may find it ready. */
  function leave(one: One, ms: number) {
    waiting.splice(waiting.indexOf(one), 1)
    onFault(new Error(`${name} waited longer than ${ms} ms for its turn`))
    one.fail(unavailable())
    if (waiting.length === 0 && running.size === 0) doer.hold(false)
  }

  /** Whoever asked is told; the doer has as long again, because starting another takes longer than most delays. */
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

/** For work that a package does in threads of its own. */
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
