import { closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openForLines } from './data-folder.ts'

/**
 * Creates a marker file in the data folder for the lifetime of this process. `isAfterCut` is true
 * if a crashed process left its marker; it may not have published its last events.
 */
export function markServing(dataDir: string): { isAfterCut: boolean; end(): void } {
  const own = join(dataDir, `${prefix}${process.pid}`)
  const left = existsSync(dataDir) ? readdirSync(dataDir).filter(isLeft) : []
  for (const name of left) rmSync(join(dataDir, name), { force: true })
  closeSync(openForLines(dataDir, `${prefix}${process.pid}`))
  return { isAfterCut: left.length > 0, end: () => rmSync(own, { force: true }) }
}

const prefix = 'serving-'

/** In a container every start has the same process id. */
function isLeft(name: string): boolean {
  const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
  return pid === process.pid || (pid > 0 && !runs(pid))
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
