import { loginLinkMs, resetCodeMs, verifyCodeMs } from '@keyturn/contract/accounts/rules.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { sendMail } from '../../../platform/mail/mails.ts'
import { type Car, loginLinkEmail, passwordResetEmail, verificationEmail } from '../emails.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'
import { findLinkedCar, insertCode, type Purpose, supersedeCodes } from './code-repository.ts'

/** Emails a code that verifies this address. `car`: by default the car of the last link. */
export async function mailVerification(deps: Deps, tx: Db, userId: string, address: string, car?: Car) {
  const from = car ?? (await findLinkedCar(tx, { userId }))[0] ?? noCar
  await mailCode(
    tx,
    { userId, purpose: 'verify', address, from, validForMs: verifyCodeMs },
    deps,
    ({ code }) => verificationEmail(deps.config, code, from),
  )
}

export const mailReset = (deps: Deps, tx: Db, userId: string, address: string) =>
  mailCode(tx, { userId, purpose: 'reset', address, validForMs: resetCodeMs }, deps, ({ code, expiresAt }) =>
    passwordResetEmail(deps.config, code, expiresAt),
  )

export const mailLoginLink = (deps: Pick<Deps, 'config'>, tx: Db, userId: string, address: string) =>
  mailCode(tx, { userId, purpose: 'login', address, validForMs: loginLinkMs }, deps, ({ code }) =>
    loginLinkEmail(deps.config, code),
  )

const noCar: Car = { vin: null, userId: null }
type NewCode = { userId: string; purpose: Purpose; address: string; from?: Car; validForMs: number }
type IssuedCode = { code: string; expiresAt: Date }

/** Issues a code; only the newest code of a purpose is valid. */
async function mailCode(
  tx: Db,
  { userId, purpose, address, from = noCar, validForMs }: NewCode,
  deps: Pick<Deps, 'config'>,
  emailWith: (issued: IssuedCode) => EmailContent,
): Promise<void> {
  await supersedeCodes(tx, userId, [purpose])
  const code = newToken()
  const [issued] = await insertCode(tx, {
    hash: hashToken(code),
    userId,
    purpose,
    address,
    linkVin: from.vin,
    linkUserId: from.userId,
    seconds: validForMs / 1000,
  })
  if (!issued) throw new Error('a code was not stored')
  const email = emailWith({ code, expiresAt: issued.expiresAt })
  await sendMail(deps, tx, { id: userId, email: address }, email, { validForMs })
}
