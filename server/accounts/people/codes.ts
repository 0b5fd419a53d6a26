import { loginLinkMs, resetCodeMs, verifyCodeMs } from '@keyturn/contract/accounts/rules.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { sendMail } from '../../mail/mails.ts'
import { type Car, loginLinkLetter, resetLetter, verifyLetter } from '../letters.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'
import { findLink, insertCode, type Purpose, supersedeCodes } from './code-store.ts'

/** Mails a code that proves this address. `car`: the one that led here; without it, where the last link led. */
export async function mailVerification(deps: Deps, tx: Db, userId: string, address: string, car?: Car) {
  const from = car ?? (await findLink(tx, { userId }))[0] ?? { vin: null, userId: null }
  const { code } = await makeCode(tx, { userId, purpose: 'verify', address, from, goodForMs: verifyCodeMs })
  await sendMail(deps, tx, { id: userId, email: address }, verifyLetter(deps.config, code, from), {
    goodForMs: verifyCodeMs,
  })
}

export async function mailReset(deps: Deps, tx: Db, userId: string, address: string) {
  const from = { vin: null, userId: null }
  const made = await makeCode(tx, { userId, purpose: 'reset', address, from, goodForMs: resetCodeMs })
  const letter = resetLetter(deps.config, made.code, made.expiresAt)
  await sendMail(deps, tx, { id: userId, email: address }, letter, { goodForMs: resetCodeMs })
}

export async function mailLoginLink(
  deps: Pick<Deps, 'config'>,
  tx: Db,
  userId: string,
  address: string,
): Promise<void> {
  const from = { vin: null, userId: null }
  const { code } = await makeCode(tx, { userId, purpose: 'login', address, from, goodForMs: loginLinkMs })
  await sendMail(deps, tx, { id: userId, email: address }, loginLinkLetter(deps.config, code), {
    goodForMs: loginLinkMs,
  })
}

type Wanted = { userId: string; purpose: Purpose; address: string; from: Car; goodForMs: number }

/** The newest code of its purpose is the only good one. */
async function makeCode(tx: Db, { userId, purpose, address, from, goodForMs }: Wanted) {
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
  return { code, expiresAt: made.expiresAt }
}
