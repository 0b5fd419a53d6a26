import { ForksPoolWorker, type PoolRunnerInitializer, type PoolWorker } from 'vitest/node'

export type KeptWorker = {
  pool: PoolRunnerInitializer
  /** Ends the process; the next run begins another. */
  end(): Promise<void>
}

/** Starting a process and loading every package takes longer than most tests. */
const enough = 60

/**
 * Vitest's process for tests, kept between runs: vitest believes that it ended and that another one was started.
 * `stale` names the files that the next run has to load anew; all else stays loaded.
 */
export function openKeptWorker(stale: () => string[]): KeptWorker {
  let kept: ForksPoolWorker | null = null
  let isStarted = false
  let runs = 0

  async function end(): Promise<void> {
    const ended = kept
    kept = null
    isStarted = false
    runs = 0
    await ended?.stop()
  }

  function createPoolWorker(options: ConstructorParameters<typeof ForksPoolWorker>[0]): PoolWorker {
    const listening: [event: string, callback: (arg: unknown) => void][] = []
    const reply = (type: 'started' | 'stopped') => {
      const message = { type, __vitest_worker_response__: true }
      for (const [event, callback] of [...listening]) if (event === 'message') callback(message)
    }
    const drop = (event: string, callback: (arg: unknown) => void) => {
      const index = listening.findIndex(([one, other]) => one === event && other === callback)
      if (index >= 0) listening.splice(index, 1)
      kept?.off(event, callback)
    }
    return {
      name: 'kept',
      cacheFs: true,
      start: async () => {
        if (++runs > enough) await end()
        if (kept) return
        const started = new ForksPoolWorker(options)
        await started.start()
        started.on('exit', () => {
          if (kept !== started) return
          kept = null
          isStarted = false
        })
        kept = started
      },
      on: (event, callback) => {
        listening.push([event, callback])
        kept?.on(event, callback)
      },
      off: drop,
      send: (message) => {
        if (message.type === 'start' && isStarted) return queueMicrotask(() => reply('started'))
        if (message.type === 'stop') return queueMicrotask(() => reply('stopped'))
        if (message.type === 'start') isStarted = true
        if (message.type === 'run') message.context.invalidates = stale()
        kept?.send(message)
      },
      stop: async () => {
        for (const [event, callback] of [...listening]) drop(event, callback)
      },
      deserialize: (data) => data,
    }
  }

  return { pool: { name: 'kept', createPoolWorker }, end }
}
