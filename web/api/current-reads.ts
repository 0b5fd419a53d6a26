/**
 * A standby may answer a read, up to a second behind. The reads after an event must include the
 * change that it announced (R-everywhere-77).
 */
let currentUntil = Number.NEGATIVE_INFINITY

/** Longer than a standby that is read can be behind. */
const standbyMs = 2_000

export function requireCurrentReads(): void {
  currentUntil = performance.now() + standbyMs
}

export const areCurrentReadsRequired = (): boolean => performance.now() < currentUntil
