import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../support/server-process.ts'

export type ServerUnderTest = {
  baseUrl: string
  /** Sends SIGKILL, starts a new process on the same port, and waits until it is ready. */
  killAndRestart(): Promise<void>
  /** Sends SIGKILL without starting a replacement. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Sends SIGSTOP: connections stay open without responses until SIGCONT. */
  freeze(): void
  resume(): void
  /** Sends SIGTERM. Returns the exit code, null after a SIGKILL, and the duration. */
  stop(): Promise<{ code: number | null; ms: number }>
  /** Measures `GET path` in ms. The status is null after the timeout. */
  measure(path: string, withinMs: number): Promise<{ status: number | null; ms: number }>
}

const currentBuild = new URL('../../dist/server/main.js', import.meta.url).pathname
/** Processes to kill at the end of the run. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Longer than the server's shutdown limit. */
const endWithinMs = 15_000

/**
 * Starts the built server, or another version's, in a separate process without the inherited
 * environment.
 */
export async function startServer(
  settings: Record<string, string>,
  main = currentBuild,
): Promise<ServerUnderTest> {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  let child = await launch()

  async function launch(): Promise<ChildProcess> {
    const started = spawn(process.execPath, [main], {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings, PORT: port },
      stdio: ['ignore', 'ignore', process.env.FAULTS_LOUD ? 'inherit' : 'ignore'],
    })
    running.add(started)
    started.once('exit', () => running.delete(started))
    for (;;) {
      if (started.exitCode !== null) throw new Error(`The server ended with ${started.exitCode}`)
      if ((await time('/health/live', 1000)).status === 200) return started
      await wait(50)
    }
  }

  async function time(path: string, withinMs: number) {
    const before = performance.now()
    const status = await fetch(baseUrl + path, { signal: AbortSignal.timeout(withinMs) }).then(
      (response) => response.status,
      () => null,
    )
    return { status, ms: Math.round(performance.now() - before) }
  }

  const exited = () => new Promise<number | null>((resolve) => child.once('exit', resolve))
  async function kill(): Promise<void> {
    const killed = exited()
    child.kill('SIGKILL')
    await killed
  }
  async function restart(): Promise<void> {
    child = await launch()
  }
  return {
    baseUrl,
    measure: time,
    kill,
    restart,
    async killAndRestart() {
      await kill()
      await restart()
    },
    freeze: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null) return { code: child.exitCode, ms: 0 }
      const before = performance.now()
      const ended = exited()
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
      const code = await ended
      clearTimeout(killer)
      return { code, ms: Math.round(performance.now() - before) }
    },
  }
}
