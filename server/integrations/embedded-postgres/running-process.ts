import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** A pid does not identify a process, because pids are reused. `identity` includes the start. */
export type RunningProcess = { identity: string; parent: number; group: number }

/** Returns the process of a pid, or null when it has ended. A zombie counts as ended. */
export function runningProcess(pid: number): RunningProcess | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

/** Returns whether a process is a PostgreSQL that runs on this folder. */
export function isPostgresOn(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return ps(pid, 'command=').includes(folder)
  try {
    return commandName(pid) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}

function commandName(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

function fromProc(pid: number): RunningProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name in parentheses and may contain spaces, so parsing starts after
    // it.
    const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    return { identity: `${boot}-${rest[16]}`, parent: Number(parent), group: Number(group) }
  } catch {
    return null
  }
}

function fromPs(pid: number): RunningProcess | null {
  const [state, parent, group, ...began] = ps(pid, 'stat=,ppid=,pgid=,lstart=').split(/\s+/)
  if (!state || state.startsWith('Z')) return null
  return { identity: began.join('-'), parent: Number(parent), group: Number(group) }
}

function ps(pid: number, columns: string): string {
  return (spawnSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '').trim()
}
