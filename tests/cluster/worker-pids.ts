import { readFileSync } from 'node:fs'

/** Returns the live processes of a start with `SERVER_PROCESSES`. */
export function listWorkerPids(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.map(Number).filter((child) => commandOf(child).includes('beside-others'))
}

export const isAlive = (pid: number): boolean => commandOf(pid) !== ''

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
