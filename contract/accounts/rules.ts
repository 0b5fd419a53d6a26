import { hourMs } from '../shared/dates.ts'
import { sanitizeLine } from '../shared/visible-text.ts'

export const userTypes = ['BUYER', 'SELLER', 'WHOLESALER'] as const
export type UserType = (typeof userTypes)[number]

export const parties = ['BUYER', 'SELLER'] as const
export type Party = (typeof parties)[number]

/**
 * In ms (R-accounts-28). A wholesaler's sessions are shorter because wholesalers see other people's
 * addresses.
 */
export const sessionLifetimes = {
  user: { accessMs: 10 * 60_000, refreshIdleMs: 7 * 24 * hourMs, sessionMs: 30 * 24 * hourMs },
  wholesaler: { accessMs: 10 * 60_000, refreshIdleMs: 12 * hourMs, sessionMs: 24 * hourMs },
  administrator: { accessMs: 5 * 60_000, refreshIdleMs: 30 * 60_000, sessionMs: 8 * hourMs },
} as const
export type SessionLifetimes = (typeof sessionLifetimes)[keyof typeof sessionLifetimes]

export const verificationCodeTtlMs = 24 * hourMs
export const resetCodeTtlMs = hourMs
export const loginLinkTtlMs = 15 * 60_000

/** The lifetime of a personal access token, in days (R-accounts-68). */
export const tokenLifetimeDays = { preset: 90, max: 365 } as const
export const maxTokens = 20
/** A use of a token is stored at most this often, so that a request needs no write. */
export const tokenUseEveryMs = hourMs

/** A password typed this recently is not asked for again (R-accounts-14). */
export const maxSignInAgeMs = 15 * 60_000
/** An administrator's password is asked again for acts with great effect (R-accounts-58). */
export const maxConfirmationAgeMs = 10 * 60_000
/** Both parties are notified of a signature, so a sign-in on the same day is recent enough. */
export const maxSignInAgeForSigningMs = 24 * hourMs

/**
 * Start pages after sign-in (R-accounts-21). A stored path on our site takes precedence if the role
 * may see it (R-accounts-22).
 */
export const homePaths = ['/home', '/wholesaler'] as const
export type HomePath = (typeof homePaths)[number]

export function homePathOf(userType: UserType): HomePath {
  return userType === 'WHOLESALER' ? '/wholesaler' : '/home'
}

/** Returns a path on our own site; null for `//host`, `/\host` or a scheme (R-accounts-22). */
export function parseLocalPath(text: unknown): string | null {
  return typeof text === 'string' && /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(text) ? text : null
}

/**
 * Returns true when fewer than four characters remain after removing the person's own name and
 * address from the password.
 */
export function isTooPersonal(
  password: string,
  person: { firstName: string; lastName: string; email: string },
): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const pieces = [
    person.firstName,
    person.lastName,
    ...person.email.split('@'),
    ...person.email.split(/[@.\-_+]/),
  ]
    .map(plain)
    .filter((piece) => piece.length >= 3)
    .sort((a, b) => b.length - a.length)
  let rest = plain(password)
  const before = rest.length
  for (const piece of pieces) rest = rest.replaceAll(piece, '')
  return rest.length < before && rest.length < 4
}

/** The maximum per person; the message of `TooManyPasskeys` names it. */
export const maxPasskeys = 10

/** Whether passkeys work at this host: browsers accept names, and no numeric addresses. */
export const isPasskeyHost = (hostname: string): boolean => !/^[\d.]+$|:/.test(hostname)

/** Strips hidden characters, because an account may be older than the rules for names. */
export const fullName = (person: { firstName: string; lastName: string }): string =>
  sanitizeLine(`${person.firstName} ${person.lastName}`) || 'No name'
