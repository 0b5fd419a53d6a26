import { createHash, randomBytes } from 'node:crypto'
import { administratorMarkerCookie } from '@keyturn/contract/accounts/endpoints.ts'
import { sessionLifetimes } from '@keyturn/contract/accounts/rules.ts'
import { isTimeZone } from '@keyturn/contract/shared/dates.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { isLoopback } from '../../../integrations/webhooks/public-address.ts'
import { computeSessionMac, isSessionMac } from '../../../shared/session-mac.ts'

export type SessionKind = 'user' | 'administrator'
/** New tokens for a browser. If `refresh` is null, the browser keeps its refresh token. */
export type Tokens = { access: string; refresh: string | null }

/** The origin of a request, before its user is known. Tokens are hashed. */
export type Visitor = {
  ip: string
  userAgent: string
  /** The browser's time zone, if its page reports one. */
  timeZone: string | null
  access: Buffer | null
  refresh: Buffer | null
  device: string | null
}

export const newToken = (): string => randomBytes(32).toString('base64url')
/** A plain hash is enough for 32 random bytes, which cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export function toVisitor(deps: Deps, request: FastifyRequest, kind: SessionKind = 'user'): Visitor {
  const names = cookieNames(deps.config)
  return {
    ip: request.ip,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 400),
    timeZone: zoneIn(request.headers['time-zone']),
    access: readTokenHash(request, names[kind].access),
    refresh: readTokenHash(request, names[kind].refresh),
    device: cookieValue(request.headers.cookie, names[kind].device),
  }
}

const zoneIn = (given: unknown): string | null =>
  typeof given === 'string' && given.length <= 64 && isTimeZone(given) ? given : null

/** Returns the hash of the token in this cookie; null for malformed values. */
export function readTokenHash(request: FastifyRequest, name: string): Buffer | null {
  const value = cookieValue(request.headers.cookie, name)
  return value !== null && tokenShape.test(value) ? hashToken(value) : null
}

const tokenShape = /^[A-Za-z0-9_-]{43}$/

/**
 * Returns whether this browser certainly has no session, not even an expired one. Browsers withhold
 * the cookies on requests from other sites, so only same-origin requests and direct navigations
 * count.
 */
export function hasNoSession(deps: Deps, { headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== 'none' && site !== 'same-origin') return false
  const { user, administrator } = cookieNames(deps.config)
  const tokens = [user.access, user.refresh, administrator.access, administrator.refresh]
  return tokens.every((name) => cookieValue(headers.cookie, name) === null)
}

export function setTokenCookies(
  deps: Deps,
  reply: FastifyReply,
  tokens: Tokens,
  kind: SessionKind = 'user',
): void {
  const names = cookieNames(deps.config)[kind]
  const lasting = sessionLifetimes[kind]
  setCookie(deps.config, reply, names.access, tokens.access, lasting.accessMs / 1000)
  if (!tokens.refresh) return
  setCookie(deps.config, reply, names.refresh, tokens.refresh, lasting.sessionMs / 1000)
  if (kind === 'administrator') markAdministrator(deps.config, reply, '1', lasting.sessionMs / 1000)
}

export function clearTokenCookies(deps: Deps, reply: FastifyReply, kind: SessionKind = 'user'): void {
  const names = cookieNames(deps.config)[kind]
  setCookie(deps.config, reply, names.access, '', 0)
  setCookie(deps.config, reply, names.refresh, '', 0)
  if (kind === 'administrator') markAdministrator(deps.config, reply, '', 0)
}

/**
 * Marks this browser as an administrator's, so that its pages may call administrator endpoints;
 * other pages would only get errors. The mark gives no rights, so scripts may read it.
 */
const markAdministrator = (config: Config, reply: FastifyReply, value: string, seconds: number): void =>
  setCookie(config, reply, `${prefixOf(config)}${administratorMarkerCookie}`, value, seconds, true)

/**
 * Gives a browser that signed in to this account a cookie with its own rate limit, so that a
 * stranger's guesses never lock its owner out. `proof` identifies the account and its password
 * without revealing either: a password change voids earlier cookies.
 */
export function setDeviceCookie(
  deps: Deps,
  reply: FastifyReply,
  proof: string,
  kind: SessionKind = 'user',
): void {
  const device = randomBytes(16).toString('base64url')
  const value = `${device}.${computeSessionMac(deps.config, signedText(device, proof)).toString('base64url')}`
  setCookie(deps.config, reply, cookieNames(deps.config)[kind].device, value, yearSeconds)
}

export function readKnownDevice(deps: Deps, visitor: Visitor, proof: string): string | null {
  const [device = '', given = ''] = visitor.device?.split('.') ?? []
  const isGenuine = isSessionMac(deps.config, signedText(device, proof), Buffer.from(given, 'base64url'))
  return device && isGenuine ? device : null
}

const yearSeconds = 365 * 24 * 3600

/** The text signed for a known browser; it changes with the password but not with the address. */
export const deviceProof = ({ id, passwordHash }: { id: string; passwordHash: string }): string =>
  `${id} ${passwordHash}`

const signedText = (device: string, proof: string): string => `device ${device} ${proof}`

const namesWith = (prefix: '' | '__Host-') => ({
  user: { access: `${prefix}at`, refresh: `${prefix}rt`, device: `${prefix}kd` },
  administrator: { access: `${prefix}aat`, refresh: `${prefix}art`, device: `${prefix}akd` },
})
const names = { '': namesWith(''), '__Host-': namesWith('__Host-') }

/** Decided by configuration, never by a request's header (R-accounts-30). */
export const cookieNames = (config: Config) => names[prefixOf(config)]

const prefixOf = (config: Config) => (isPlain(config) ? '' : '__Host-')
const isPlain = ({ publicUrl }: Config): boolean =>
  publicUrl.protocol === 'http:' && isLoopback(publicUrl.hostname)

function setCookie(
  config: Config,
  reply: FastifyReply,
  name: string,
  value: string,
  seconds: number,
  isReadable = false,
): void {
  const secure = isPlain(config) ? '' : '; Secure'
  const hidden = isReadable ? '' : ' HttpOnly;'
  reply.header(
    'set-cookie',
    `${name}=${value}; Max-Age=${seconds}; Path=/;${hidden} SameSite=Strict${secure}`,
  )
}

/** Values are base64url and need no decoding: this runs on every request. */
function cookieValue(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  const start = `${name}=`
  for (const part of header.split(';')) {
    const pair = part.trimStart()
    if (pair.startsWith(start)) return pair.slice(start.length).trimEnd()
  }
  return null
}
