import { hourMs } from '../kit/dates.ts'
import { shownLine } from '../kit/words.ts'

export const userTypes = ['BUYER', 'SELLER', 'WHOLESALER'] as const
export type UserType = (typeof userTypes)[number]

export const sides = ['BUYER', 'SELLER'] as const
export type Side = (typeof sides)[number]

/** Lifetimes in milliseconds (R-accounts-28). A wholesaler sees other people's addresses: hence shorter. */
export const lifetimes = {
  user: { accessMs: 10 * 60_000, refreshIdleMs: 7 * 24 * hourMs, sessionMs: 30 * 24 * hourMs },
  wholesaler: { accessMs: 10 * 60_000, refreshIdleMs: 12 * hourMs, sessionMs: 24 * hourMs },
  administrator: { accessMs: 5 * 60_000, refreshIdleMs: 30 * 60_000, sessionMs: 8 * hourMs },
} as const
export type Lifetimes = (typeof lifetimes)[keyof typeof lifetimes]

export const verifyCodeMs = 24 * hourMs
export const resetCodeMs = hourMs
export const loginLinkMs = 15 * 60_000

/** A password typed this recently stands in for asking it again (R-accounts-14). */
export const freshSignInMs = 15 * 60_000
/** Signing is announced by what it does, so a sign-in of the same day is near enough. */
export const signingSignInMs = 24 * hourMs

/** Where a person goes after signing in (R-accounts-21); a stored path of ours wins if their role may see it (R-accounts-22). */
export const homes = ['/home', '/wholesaler'] as const
export type Home = (typeof homes)[number]

export function homeOf(userType: UserType): Home {
  return userType === 'WHOLESALER' ? '/wholesaler' : '/home'
}

/** A path of our own, or null: never `//host`, `/\host`, a scheme, or anything that is not a path (R-accounts-22). */
export function ownPath(text: unknown): string | null {
  return typeof text === 'string' && /^\/(?![/\\])[^\p{Cc}\\]*$/u.test(text) ? text : null
}

/**
 * A password that says little more than the person's own name or address: fewer than four characters are left once
 * those are taken out.
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

/** As it may be shown: an account may be older than the rules of what a name can hold. */
export const fullName = (person: { firstName: string; lastName: string }): string =>
  shownLine(`${person.firstName} ${person.lastName}`) || 'No name'
