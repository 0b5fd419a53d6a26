import { inspect } from 'node:util'
import { StartupError } from './start-refusal.ts'

/**
 * The end fits into the ten seconds after which the strictest of the common supervisors kills (docker; Kubernetes gives
 * 30, systemd 90): 7 s for requests, and the jobs beside them, then 1.5 s for rolling back, and one second to spare.
 */
const usualPatienceMs = 9_500
/** Longer than any query: PostgreSQL cuts one off after 5 s, we ourselves after 6 s, and its answer must still go out. */
export const graceMs = 7_000
/** For transactions that are under way: what is not committed by then is rolled back by the database. */
export const rollbackMs = 1_500

export type Closer = () => Promise<unknown>

/** What this process has opened, and how it ends: once, closing everything in the opposite order. */
export type Lifetime = {
  /** What has just been opened is closed by this. The result closes it before the end comes. */
  toClose(closer: Closer): Closer
  /** Nothing more is opened once the end was asked for. */
  step<T>(work: Promise<T>): Promise<T>
  isEnding(): boolean
  /** How long proxies are given to notice; before anybody is served there are none. */
  drainFor(ms: number): void
  /** Those whom this process has started drain before they end. */
  waitForOthers(ms: number): void
  /** Ends with one line that says why. */
  fail(error: unknown): void
}

/** Ends this process when it is asked to: by SIGTERM, or by SIGINT, which does not wait for proxies. */
export function openLifetime(): Lifetime {
  const closers: Closer[] = []
  let ending = false
  let drainMs = 0
  let patienceMs = usualPatienceMs
  /** Ends that wait at once. */
  let endDrain = () => {}

  /** The first reason to end counts; a second one, as when a terminal and npm both send Ctrl-C, changes nothing. */
  function end(code: number): void {
    if (ending) return
    ending = true
    void drain().then(async () => {
      setTimeout(() => process.exit(1), patienceMs).unref()
      await close()
      process.exit(code)
    })
  }

  /** Proxies learn by and by that it is not ready any more: until then whoever they still send is served as ever (R-everywhere-50). */
  function drain(): Promise<void> {
    return new Promise((resolve) => {
      endDrain = resolve
      setTimeout(resolve, drainMs)
    })
  }

  async function close(): Promise<void> {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch(() => {})
  }

  process.on('SIGTERM', () => end(0))
  process.on('SIGINT', () => {
    drainMs = 0
    end(0)
    endDrain()
  })

  return {
    toClose: (closer) => {
      closers.push(closer)
      return () => {
        closers.splice(closers.indexOf(closer), 1)
        return closer()
      }
    },
    step: async (work) => {
      const done = await work
      if (ending) throw new StartupError('ended before it was ready')
      return done
    },
    isEnding: () => ending,
    drainFor: (ms) => {
      drainMs = ms
    },
    waitForOthers: (ms) => {
      patienceMs += ms
    },
    fail: (error) => {
      // What goes wrong while it ends comes from the ending itself.
      if (ending) return
      drainMs = 0
      const why = error instanceof StartupError ? error.message : inspect(error)
      // Empty: another process has said it.
      if (why) process.stderr.write(`${why}\n`)
      end(1)
    },
  }
}
