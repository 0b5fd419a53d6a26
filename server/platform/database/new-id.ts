import { randomFillSync } from 'node:crypto'

/** Filled for 256 ids at once, since the system call takes ten times as long as the rest. */
const pool = Buffer.alloc(12 * 256)
let used = pool.length

/** Returns 24 random hex digits. Ids protect links, so nobody may guess them (R-everywhere-2). */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const id = pool.toString('hex', used, used + 12)
  // Erases the id, so that it cannot be read from memory later.
  pool.fill(0, used, used + 12)
  used += 12
  return id
}
