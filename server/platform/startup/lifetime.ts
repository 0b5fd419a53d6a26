import { inspect } from 'node:util'
import { StartupError } from './startup-error.ts'

/**
 * Shutdown must fit into docker's 10 s before SIGKILL (Kubernetes: 30 s, systemd: 90 s). It uses 7
 * s for requests and jobs, then 1.5 s for rollbacks, with 1 s to spare.
 */
const defaultTimeoutMs = 9_500
/** Longer than a query (PostgreSQL cancels after 5 s, the client after 6 s) and its response. */
export const shutdownGraceMs = 7_000
/** For open transactions. The database rolls back those that are not committed after this time. */
export const rollbackGraceMs = 1_500

export type Close = () => Promise<unknown>

/** Closes everything that this process opened, once and in reverse order. */
export type Lifetime = {
  /** Registers a closer for an opened resource. The returned function closes it early. */
  onClose(closer: Close): Close
  /** Awaits a step of the startup, and throws if shutdown began during it. */
  step<T>(work: Promise<T>): Promise<T>
  isEnding(): boolean
  /** Time for load balancers to notice the shutdown. It is 0 until the server listens. */
  drainFor(ms: number): void
  /** Extends the time limit by the drain time of child processes. */
  extendTimeout(ms: number): void
  /** Prints the error in one line and exits with 1. */
  fail(error: unknown): void
}

/** Shuts down on SIGTERM, and on SIGINT without draining. */
export function createLifetime(): Lifetime {
  const closers: Close[] = []
  let isEnding = false
  let drainMs = 0
  let timeoutMs = defaultTimeoutMs
  /** Ends the drain immediately. */
  let endDrain = () => {}

  /** Only the first call has an effect: a terminal and npm both forward Ctrl-C. */
  function end(code: number): void {
    if (isEnding) return
    isEnding = true
    void drain().then(async () => {
      setTimeout(() => process.exit(1), timeoutMs).unref()
      await close()
      process.exit(code)
    })
  }

  /**
   * Load balancers notice with a delay that this process is not ready. Requests are served normally
   * in that time (R-everywhere-50).
   */
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
    onClose: (closer) => {
      closers.push(closer)
      return () => {
        closers.splice(closers.indexOf(closer), 1)
        return closer()
      }
    },
    step: async (work) => {
      const done = await work
      if (isEnding) throw new StartupError('stopped before it was ready')
      return done
    },
    isEnding: () => isEnding,
    drainFor: (ms) => {
      drainMs = ms
    },
    extendTimeout: (ms) => {
      timeoutMs += ms
    },
    fail: (error) => {
      // Errors during shutdown are caused by the shutdown itself.
      if (isEnding) return
      drainMs = 0
      const why = error instanceof StartupError ? error.message : inspect(error)
      // An empty message means that another process printed the error.
      if (why) process.stderr.write(`${why}\n`)
      end(1)
    },
  }
}
