import { loginLinkMs, resetCodeMs, verifyCodeMs } from '@keyturn/contract/accounts/rules.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open.ts'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { sendMail } from '../../../platform/mail/mails.ts'
import { type Car, loginLinkEmail, passwordResetEmail, verificationEmail } from '../emails.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'
import { findLink, insertCode, type Purpose, supersedeCodes } from './code-repository.ts'

/**
 * Emails a code that verifies this address. `car`: the car to link to; by default that of the last
 * link.
 */
export async function mailVerification(deps: Deps, tx: Db, userId: string, address: string, car?: Car) {
  const from = car ?? (await findLink(tx, { userId }))[0] ?? nowhere
  await mailCode(
    tx,
    { userId, purpose: 'verify', address, from, goodForMs: verifyCodeMs },
    deps,
    ({ code }) => verificationEmail(deps.config, code, from),
  )
}

export const mailReset = (deps: Deps, tx: Db, userId: string, address: string) =>
  mailCode(tx, { userId, purpose: 'reset', address, goodForMs: resetCodeMs }, deps, ({ code, expiresAt }) =>
    passwordResetEmail(deps.config, code, expiresAt),
  )

export const mailLoginLink = (deps: Pick<Deps, 'config'>, tx: Db, userId: string, address: string) =>
  mailCode(tx, { userId, purpose: 'login', address, goodForMs: loginLinkMs }, deps, ({ code }) =>
    loginLinkEmail(deps.config, code),
  )

const nowhere: Car = { vin: null, userId: null }
type Wanted = { userId: string; purpose: Purpose; address: string; from?: Car; goodForMs: number }
type Made = { code: string; expiresAt: Date }

/** Issues a code; only the newest code of a purpose is valid. */
async function mailCode(
  tx: Db,
  { userId, purpose, address, from = nowhere, goodForMs }: Wanted,
  deps: Pick<Deps, 'config'>,
  letterWith: (made: Made) => EmailContent,
): Promise<void> {
  await supersedeCodes(tx, userId, [purpose])
  const code = newToken()
  const [made] = await insertCode(tx, {
    hash: hashToken(code),
    userId,
    purpose,
    address,
    linkVin: from.vin,
    linkUserId: from.userId,
    seconds: goodForMs / 1000,
  })
  if (!made) throw new Error('a code was not stored')
  const letter = letterWith({ code, expiresAt: made.expiresAt })
  await sendMail(deps, tx, { id: userId, email: address }, letter, { goodForMs })
}
