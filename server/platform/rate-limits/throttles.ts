import { createHash } from 'node:crypto'
import { hourMs } from '@keyturn/contract/shared/dates.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { tooManyAttempts } from '@keyturn/contract/shared/texts.ts'
import type { Deps } from '../../deps.ts'
import { decrementThrottle, deleteThrottle, incrementThrottle, readWait } from './throttle-repository.ts'

/** Allows `max` requests within `withinMs`; pauses double from number `slowFrom` on. */
export type RateLimit = { name: string; max: number; withinMs: number; slowFrom?: number }

const quarterHourMs = hourMs / 4
const dayMs = 24 * hourMs
const limit = (name: string, max: number, withinMs: number, slowFrom?: number): RateLimit => ({
  name,
  max,
  withinMs,
  slowFrom,
})

/** Never reached: as `slowFrom` it disables pauses, as `max` it disables the limit. */
const never = 1_000_000

/**
 * Limits that protect accounts (R-everywhere-16). Counted in PostgreSQL for all processes, except
 * `readUser`, which each process counts alone.
 */
export const throttleLimits = {
  /** Accounts made: a mobile carrier or a dealer's Wi-Fi is one address. */
  registerFromIp: limit('register-ip', 30, hourMs),
  /** Registrations and changes that name an address; they could probe which ones have an account. */
  tryAddressFromIp: limit('try-address-ip', 60, hourMs),
  registerAddress: limit('register-address', 3, 3 * hourMs),
  signInFromIp: limit('sign-in-ip', 50, quarterHourMs),
  signInFromNetwork: limit('sign-in-network', 10, quarterHourMs, 5),
  signInToAddress: limit('sign-in-address', never, quarterHourMs, 5),
  signInFromDevice: limit('sign-in-device', never, quarterHourMs, 5),
  signInFromKnown: limit('sign-in-known', never, quarterHourMs, 5),
  loginLinkMail: limit('login-link-mail', 1, hourMs),
  loginLinkFromIp: limit('login-link-ip', 10, quarterHourMs),
  passkeyStartFromIp: limit('passkey-start-ip', 300, quarterHourMs),
  passkeyFromIp: limit('passkey-ip', 50, quarterHourMs),
  adminFromIp: limit('admin-ip', 20, quarterHourMs),
  adminToName: limit('admin-name', never, quarterHourMs, 5),
  adminFromDevice: limit('admin-device', never, quarterHourMs, 5),
  adminFromKnown: limit('admin-known', never, quarterHourMs, 5),
  /** Codes are counted after the right password, so a block locks out nobody without it. */
  adminCode: limit('admin-code', 10, quarterHourMs),
  refreshSession: limit('refresh-session', 30, 60_000),
  refreshFromIp: limit('refresh-ip', 120, 60_000),
  adminRefresh: limit('admin-refresh', 30, 60_000),
  unknownLogout: limit('logout-ip', 30, 60_000),
  verifyMail: limit('verify-mail', 3, hourMs),
  verifyMailFromIp: limit('verify-mail-ip', 20, hourMs),
  verifyFromIp: limit('verify-ip', 10, quarterHourMs),
  resetMail: limit('reset-mail', 3, hourMs),
  resetMailFromIp: limit('reset-mail-ip', 20, hourMs),
  resetFromIp: limit('reset-ip', 5, hourMs),
  currentPassword: limit('current-password', 5, quarterHourMs),
  editUser: limit('edit-user', 20, hourMs),
  changeUnverifiedAddress: limit('mend-address', 3, hourMs),
  deleteUser: limit('delete-user', 3, hourMs),
  /** A download reads all rows of a person. */
  exportData: limit('export-data', 10, hourMs),
  readPerson: limit('read-person', 60, 60_000),
  readUser: limit('read-user', 300, 60_000),
  lookUpVin: limit('look-up-vin', 20, 60_000),
  enterVinHourly: limit('enter-vin-hourly', 10, hourMs),
  enterVinDaily: limit('enter-vin-daily', 20, dayMs),
} as const

export const consumeLimitReturningWait = async (
  deps: Deps,
  rule: RateLimit,
  subject: string,
): Promise<number> => (await countRequest(deps, rule, subject)).wait

/** Counts a request, atomically. `wait` is in seconds, and 0 if the request is allowed. */
export async function countRequest(
  deps: Deps,
  rule: RateLimit,
  subject: string,
): Promise<{ wait: number; count: number }> {
  if (!deps.config.rateLimits) return { wait: 0, count: 0 }
  const bucket = bucketOf(rule, subject)
  const slowFrom = rule.slowFrom ?? never
  const seconds = rule.withinMs / 1000
  const [counted] = await incrementThrottle(deps.db, { bucket, seconds, max: rule.max, slowFrom })
  if (counted) return { wait: 0, count: counted.count }
  const [left] = await readWait(deps.db, { bucket, max: rule.max })
  return { wait: Math.max(1, left?.seconds ?? 1), count: rule.max }
}

export async function consumeLimit(deps: Deps, rule: RateLimit, subject: string): Promise<void> {
  const seconds = await consumeLimitReturningWait(deps, rule, subject)
  if (seconds > 0) throw tooManyRequestsError(seconds)
}

/** Refunds a successful request where only failures count. */
export async function refundLimit(deps: Deps, rule: RateLimit, subject: string): Promise<void> {
  if (deps.config.rateLimits) await decrementThrottle(deps.db, { bucket: bucketOf(rule, subject) })
}

export async function resetLimit(deps: Deps, rule: RateLimit, subject: string): Promise<void> {
  if (deps.config.rateLimits) await deleteThrottle(deps.db, { bucket: bucketOf(rule, subject) })
}

export const tooManyRequestsError = (seconds: number) =>
  apiErrors.TooManyRequests({ retryAfterSeconds: seconds, message: tooManyAttempts(seconds) })

/** An IPv6 household has one /64 network with any number of addresses. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip.replace(/^.*:/, '')
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...rest].slice(0, 4).join(':')
}

/** Hashed, so that no addresses are stored. */
const bucketOf = (rule: RateLimit, subject: string): string =>
  `${rule.name} ${createHash('sha256').update(subject).digest('base64url').slice(0, 22)}`
