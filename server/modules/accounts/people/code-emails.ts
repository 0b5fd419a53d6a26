import { loginLinkTtlMs, resetCodeTtlMs, verificationCodeTtlMs } from '@keyturn/contract/accounts/rules.ts'
import type { Deps } from '../../../deps.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import type { EmailContent } from '../../../platform/mail/email-content.ts'
import { enqueueEmail } from '../../../platform/mail/email-queue.ts'
import { loginLinkEmail, passwordResetEmail, type RegistrationCar, verificationEmail } from '../emails.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'
import { type CodePurpose, findLinkedCar, insertCode, voidCodes } from './email-code-repository.ts'

/** Emails a code that verifies this address. `car`: by default the car of the last link. */
export async function sendVerificationEmail(
  deps: Deps,
  tx: Db,
  userId: string,
  address: string,
  car?: RegistrationCar,
) {
  const from = car ?? (await findLinkedCar(tx, { userId }))[0] ?? noCar
  await mailCode(
    tx,
    { userId, purpose: 'verify', address, from, validForMs: verificationCodeTtlMs },
    deps,
    ({ code }) => verificationEmail(deps.config, code, from),
  )
}

export const sendResetEmail = (deps: Deps, tx: Db, userId: string, address: string) =>
  mailCode(
    tx,
    { userId, purpose: 'reset', address, validForMs: resetCodeTtlMs },
    deps,
    ({ code, expiresAt }) => passwordResetEmail(deps.config, code, expiresAt),
  )

export const sendLoginLinkEmail = (deps: Pick<Deps, 'config'>, tx: Db, userId: string, address: string) =>
  mailCode(tx, { userId, purpose: 'login', address, validForMs: loginLinkTtlMs }, deps, ({ code }) =>
    loginLinkEmail(deps.config, code),
  )

const noCar: RegistrationCar = { vin: null, userId: null }
type NewCode = {
  userId: string
  purpose: CodePurpose
  address: string
  from?: RegistrationCar
  validForMs: number
}
type IssuedCode = { code: string; expiresAt: Date }

/** Issues a code; only the newest code of a purpose is valid. */
async function mailCode(
  tx: Db,
  { userId, purpose, address, from = noCar, validForMs }: NewCode,
  deps: Pick<Deps, 'config'>,
  emailWith: (issued: IssuedCode) => EmailContent,
): Promise<void> {
  await voidCodes(tx, userId, [purpose])
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
  await enqueueEmail(deps, tx, { id: userId, email: address }, email, { validForMs })
}
