import { randomFillSync } from 'node:crypto'

/** Asked for many at once: the system's call takes ten times as long as the rest. */
const pool = Buffer.alloc(12 * 256)
let used = pool.length

/** 24 hex digits, 96 random bits, not ordered by time: a car's link is only as private as its ids (R-everywhere-2). */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const id = pool.toString('hex', used, used + 12)
  // Nobody finds it here later.
  pool.fill(0, used, used + 12)
  used += 12
  return id
}
