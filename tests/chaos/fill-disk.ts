import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const chunk = Buffer.alloc(1024 * 1024)

/**
 * Fills the disk of this folder completely, given its maximum size. The last write is cut short.
 */
export function fillDisk(folder: string, megabytes: number): string {
  const path = join(folder, 'filler')
  const file = openSync(path, 'a')
  try {
    for (let written = 0; written <= megabytes * chunk.length; ) written += writeSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return path
    throw error
  } finally {
    closeSync(file)
  }
  throw new Error('The disk has more room than it was given')
}
