import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

export type Running = {
  port: number
  pid: number
  /** Processor time and resident memory of this one process, seen from outside, the same way for all. */
  usage(): { cpuMicros: number; rssMb: number }
  stop(): Promise<void>
}

const root = new URL('../../', import.meta.url)

type Settings = Record<string, string>

/** Starts a program as a process of its own and waits until it answers `path` with a 200. */
export const run = (file: string, path: string, settings: Settings): Promise<Running> =>
  runCommand([process.execPath, file], path, settings)

/** The same for any command; `serverPid` where what it starts is not itself the server. */
export async function runCommand(
  [command, ...args]: readonly [string, ...string[]],
  path: string,
  settings: Settings,
  serverPid?: () => number,
): Promise<Running> {
  const port = await freePort()
  const child = spawn(command, args, {
    cwd: root,
    env: { ...inherited(), ...settings, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ended = gone.then(() =>
    Promise.reject(new Error(`${[command, ...args].join(' ')} ended before it answered`)),
  )
  await Promise.race([firstAnswer(`http://127.0.0.1:${port}${path}`), ended])
  ended.catch(() => {})
  return {
    port,
    pid: child.pid ?? 0,
    usage: () => usageOf(serverPid?.() ?? child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** A developer's own settings (NODE_ENV, SMTP_URL) would change the figures. */
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

/** Ticks of `/proc` are 10 ms: fine over a round of seconds. Elsewhere `ps` says the same, more coarsely. */
function usageOf(pid: number): { cpuMicros: number; rssMb: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    const rssKb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return { cpuMicros: ticks * 10_000, rssMb: Number(rssKb) / 1024 }
  } catch {
    const [rss = '0', time = '0'] = execFileSync('ps', ['-o', 'rss=,cputime=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    return { cpuMicros: seconds * 1_000_000, rssMb: Number(rss) / 1024 }
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
