import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { freePort } from '../tests/support/server-process.ts'

export type ServerProcess = {
  port: number
  /** Returns CPU time and resident memory of this process alone. */
  usage(): { cpuMicros: number; rssMb: number }
  stop(): Promise<void>
}

const root = new URL('../', import.meta.url)

/** Starts a program and waits until it responds to `path` with 200. */
export async function startProcess(
  args: readonly string[],
  path: string,
  settings: Record<string, string>,
): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...inherited(), ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const failed = exited.then(() => Promise.reject(new Error(`${args.join(' ')} exited before it responded`)))
  await Promise.race([waitForResponse(`http://127.0.0.1:${port}${path}`), failed])
  failed.catch(() => {})
  return {
    port,
    usage: () => usageOf(child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Excludes a developer's settings (NODE_ENV, SMTP_URL), which would change the results. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH } = process.env
  return { PATH, HOME, TMPDIR, LANG, LD_LIBRARY_PATH }
}

async function waitForResponse(url: string): Promise<void> {
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Reads Linux's `/proc`. Its 10 ms ticks are precise enough for rounds that take seconds. */
export function usageOf(pid: number): { cpuMicros: number; rssMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = Number(fields[11]) + Number(fields[12])
  const rssKb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { cpuMicros: ticks * 10_000, rssMb: Number(rssKb) / 1024 }
}
