import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { freePort } from '../tests/support/start.ts'

export type Running = {
  port: number
  /**
   * CPU time and resident memory of this process alone, measured from outside in the same way for
   * all.
   */
  usage(): { cpuMicros: number; rssMb: number }
  stop(): Promise<void>
}

const root = new URL('../', import.meta.url)

/** Starts a program in a separate process and waits until it answers `path` with 200. */
export async function run(
  args: readonly string[],
  path: string,
  settings: Record<string, string>,
): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...inherited(), ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = gone.then(() => Promise.reject(new Error(`${args.join(' ')} ended before it answered`)))
  await Promise.race([firstAnswer(`http://127.0.0.1:${port}${path}`), ended])
  ended.catch(() => {})
  return {
    port,
    usage: () => usageOf(child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/**
 * Returns the variables to pass on: a developer's settings (NODE_ENV, SMTP_URL) would change the
 * figures.
 */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH } = process.env
  return { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH }
}

async function firstAnswer(url: string): Promise<void> {
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Reads `/proc`, so it is Linux only. A tick is 10 ms: precise enough for rounds of seconds. */
function usageOf(pid: number): { cpuMicros: number; rssMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = Number(fields[11]) + Number(fields[12])
  const rssKb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { cpuMicros: ticks * 10_000, rssMb: Number(rssKb) / 1024 }
}
