import { maxStandbyAgeMs } from '@keyturn/contract/notifications/rules.ts'

/**
 * A standby may answer a read, up to a second behind. The reads after an event must include the
 * change that it announced (R-everywhere-77).
 */
let currentUntil = Number.NEGATIVE_INFINITY

export function requireCurrentReads(): void {
  currentUntil = performance.now() + maxStandbyAgeMs
}

export const areCurrentReadsRequired = (): boolean => performance.now() < currentUntil
