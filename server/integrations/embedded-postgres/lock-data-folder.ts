import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '../../platform/startup/startup-error.ts'
import { runningProcess } from './running-process.ts'

/**
 * Locks the data folder for this process; otherwise throws an error that names the process holding
 * the lock. PostgreSQL has a lock of its own inside, but only this one knows the pid that a person
 * can stop.
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, 'held-by')
  const own = `${process.pid} ${runningProcess(process.pid)?.identity}\n`
  while (!isPlaced(path, own)) {
    const found = read(path)
    const holder = Number(found.split(' ')[0])
    if (isHeld(found)) {
      throw new StartupError(
        `The data folder ${dataDir} is in use by process ${holder}: stop that one first, or set DATA_DIR to another folder.`,
      )
    }
    discard(path, found)
  }
  return () => {
    if (read(path) === own) rmSync(path, { force: true })
  }
}

function isHeld(found: string): boolean {
  const [pid, identity] = found.trim().split(' ')
  return identity !== undefined && runningProcess(Number(pid))?.identity === identity
}

/** Creates the lock by a link, so that it appears with its content. */
function isPlaced(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o644 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Discards a stale lock. Two starts may find the same one, so only the lock that was checked is
 * removed; a fresh one is put back.
 */
function discard(path: string, checked: string): void {
  const moved = `${path}.old.${process.pid}`
  try {
    renameSync(path, moved)
    if (read(moved) !== checked) linkSync(moved, path)
  } catch {
    // The other start was faster; the next round finds its lock.
  } finally {
    rmSync(moved, { force: true })
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
