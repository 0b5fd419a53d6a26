import { randomFillSync } from 'node:crypto'

/** Filled for 256 ids at once, since the system call takes ten times as long as the rest. */
const pool = Buffer.alloc(12 * 256)
let used = pool.length

/** Digits that a row's id has in common with the ids of the person who owns it (decision 88). */
const prefixLength = 4

/**
 * Returns 24 random hex digits, for a person or a row that belongs to nobody. Ids protect links, so
 * nobody may guess them (R-everywhere-2).
 */
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

/**
 * Returns an id that begins like `owner`: the id of the person who owns the new row, or of another
 * row that this person owns, such as the deal of a message. 20 digits stay random (R-everywhere-65).
 */
export const newOwnedId = (owner: string): string =>
  owner.slice(0, prefixLength) + newId().slice(prefixLength)
