import { closeSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openForLines } from './data-folder.ts'

/**
 * Stands in the data folder for as long as this process serves. `isAfterCut`: one is left there of a process that ended without having
 * been asked to, and may have owed others a word.
 */
export function markServing(dataDir: string): { isAfterCut: boolean; end(): void } {
  const own = join(dataDir, `${prefix}${process.pid}`)
  const left = existsSync(dataDir) ? readdirSync(dataDir).filter(isLeft) : []
  for (const name of left) rmSync(join(dataDir, name), { force: true })
  closeSync(openForLines(dataDir, `${prefix}${process.pid}`))
  return { isAfterCut: left.length > 0, end: () => rmSync(own, { force: true }) }
}

const prefix = 'serving-'

/** In a container each start has the number of the one before. */
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
