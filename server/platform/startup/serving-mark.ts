import { closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openAppend } from './data-folder.ts'

/**
 * Creates a marker file in the data folder for the lifetime of this process. `isAfterCrash` is true
 * if a crashed process left its marker; it may not have published its last events.
 */
export function createServingMark(dataDir: string): { isAfterCrash: boolean; end(): void } {
  const own = join(dataDir, `${prefix}${process.pid}`)
  const stale = existsSync(dataDir) ? readdirSync(dataDir).filter(isStale) : []
  for (const name of stale) rmSync(join(dataDir, name), { force: true })
  closeSync(openAppend(dataDir, `${prefix}${process.pid}`))
  return { isAfterCrash: stale.length > 0, end: () => rmSync(own, { force: true }) }
}

const prefix = 'serving-'

/** In a container every start has the same process id. */
function isStale(name: string): boolean {
  const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
  return pid === process.pid || (pid > 0 && !isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
