import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type RunAs = { uid: number; gid: number } | null

/** PostgreSQL and Patroni do not run as root; Debian's packages create the user. */
export function databaseUser(): RunAs {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:'))
  if (!line) throw new Error('There is no user postgres: apt-get install postgresql')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

export type Program = { pid: number; kill(signal: NodeJS.Signals): void; hasEnded(): boolean }

/** Starts a program that writes its output to a file. */
export function spawnProgram(
  [program = '', ...args]: readonly string[],
  { runAs, log, cwd }: { runAs: RunAs; log: string; cwd: string },
): Program {
  const output = openSync(log, 'a')
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8' },
    stdio: ['ignore', output, output],
    ...runAs,
  })
  closeSync(output)
  child.on('error', (error) => console.error(`${program}: ${error.message}`))
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  }
}

/** Kills a process and everything that it started, as a power failure does. */
export function killTree(pid: number): void {
  // Signals to 0 would reach this process as well.
  if (pid === 0) return
  // Stopped first, so that nothing is started between reading the list and the kill.
  signal(pid, 'SIGSTOP')
  for (const child of childrenOf(pid)) killTree(child)
  signal(pid, 'SIGKILL')
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(parent) === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

export async function waitForPort(port: number): Promise<void> {
  await waitUntil(`port ${port} accepts connections`, 30_000, async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    return isOpen
  })
}

/** Waits for a condition, which counts as not met while it throws. */
export async function waitUntil(what: string, ms: number, isMet: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    if (await isMet().catch(() => false)) return
    if (performance.now() > until) throw new Error(`Not within ${ms / 1000} s: ${what}`)
    await wait(100)
  }
}
