import { createHash, timingSafeEqual } from 'node:crypto'
import type * as calls from '@keyturn/contract/accounts/endpoints.ts'
import { sessionLifetimes } from '@keyturn/contract/accounts/rules.ts'
import { accountErrors, accountTexts } from '@keyturn/contract/accounts/texts.ts'
import type { EndpointInput } from '@keyturn/contract/shared/endpoint.ts'
import { ApiError, isApiError } from '@keyturn/contract/shared/error.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import { type SignInAttempt, startSignInAttempt } from '../../../platform/rate-limits/sign-in-attempts.ts'
import {
  consumeLimit,
  networkOf,
  refundLimit,
  throttleLimits,
} from '../../../platform/rate-limits/throttles.ts'
import { settingsSignInEmail, unknownNetworkEmail, wrongCodeEmail } from '../emails.ts'
import { passwordMatches } from '../people/passwords.ts'
import { deviceProof, hashToken, readKnownDevice, type Tokens, type Visitor } from '../sessions/cookies.ts'
import { isKnownNetwork, storeKnownNetwork } from '../sessions/known-networks.ts'
import { adminCredentials, startSession } from '../sessions/sessions.ts'
import type { AdministratorRow } from '../tables.ts'
import { recordAdminEvent } from './admin-events.ts'
import * as store from './administrator-repository.ts'
import { emailOperator } from './email-operator.ts'
import { consumeTotpCode, decryptTotpSecret, isTotpCode } from './totp.ts'

type Form = EndpointInput<typeof calls.adminLogin>['body']

/** Either a named administrator, or the one of the settings (`row` is null). */
type Candidate = { owner: string; username: string; row: AdministratorRow | null }

/** Signs in an administrator by password and, where codes are set up, a code (R-accounts-55). */
export async function signInAdministrator(
  deps: Deps,
  visitor: Visitor,
  form: Form,
): Promise<{ tokens: Tokens; proof: string }> {
  const candidate = await findCandidate(deps, form.username)
  const attempt = await startAdministratorAttempt(deps, visitor, form.username, candidate)
  const warn = (event: string, because?: string) =>
    deps.log.warn({ event, because, administrator: candidate?.username, ip: visitor.ip }, 'security')
  try {
    if (!candidate || !(await isRightPassword(deps.config, candidate, form.password)))
      throw accountErrors.InvalidCredentials({ message: accountTexts.admin.failed })
    const tokens = await openWithCode(deps, visitor, candidate, form.code)
    await attempt.succeed()
    warn('administrator signed in')
    return { tokens, proof: proofOf(candidate) }
  } catch (error) {
    const isWrongCode = isApiError(error, 'InvalidAdminCode')
    if (!isWrongCode && !isApiError(error, 'InvalidCredentials')) await attempt.refund()
    if (candidate && isWrongCode)
      await emailOperator(deps, deps.db, wrongCodeEmail(deps.config, candidate.username, visitor))
    if (isApiError(error, 'AdminCodeRequired')) warn('administrator was asked for a code')
    else warn('administrator sign-in failed', error instanceof ApiError ? error.code : undefined)
    throw error
  }
}

/** Throws `AdminCodeRequired` or `InvalidAdminCode`. */
async function openWithCode(
  deps: Deps,
  visitor: Visitor,
  candidate: Candidate,
  code: string | undefined,
): Promise<Tokens> {
  const secret = secretOf(deps.config, candidate)
  if (secret === null) return openSession(deps, visitor, candidate, null)
  if (code === undefined) throw accountErrors.AdminCodeRequired()
  await consumeLimit(deps, throttleLimits.adminCode, candidate.owner)
  const refund = () => refundLimit(deps, throttleLimits.adminCode, candidate.owner)
  try {
    const tokens = await openSession(deps, visitor, candidate, secret, code)
    await refund()
    return tokens
  } catch (error) {
    if (!isApiError(error, 'InvalidAdminCode')) await refund()
    throw error
  }
}

/** Identifies the account and its password, so that a new password voids the cookies of browsers. */
const proofOf = ({ owner, row }: Candidate): string =>
  row?.passwordHash ? deviceProof({ id: row.id, passwordHash: row.passwordHash }) : owner

async function findCandidate(deps: Deps, username: string): Promise<Candidate | null> {
  const { admin } = deps.config
  const owner = adminCredentials(deps.config)
  const isOfSettings = admin && owner && isSame(username, admin.username)
  const [row] = isOfSettings ? [] : await store.findByUsername(deps.db, { username: username.toLowerCase() })
  if (row) return { owner: row.id, username: row.username, row }
  // Takes the time of a check, so that it does not reveal who exists.
  await passwordMatches('', null)
  return isOfSettings ? { owner, username: admin.username, row: null } : null
}

const isRightPassword = async (config: Config, { row }: Candidate, password: string): Promise<boolean> =>
  row ? passwordMatches(password, row.passwordHash) : isSettingsPassword(config, password)

export const isSettingsPassword = ({ admin }: Config, password: string): boolean =>
  admin !== null && isSame(password, admin.password)

/** Returns the secret that codes are checked against; null: no code is asked for. */
function secretOf(config: Config, { row }: Candidate): string | null {
  if (!row) return config.admin?.totpSecret ?? null
  if (!row.totpConfirmedAt || !row.totpSecret) return null
  // An unreadable secret accepts no code but recovery codes.
  return decryptTotpSecret(config, row.totpSecret) ?? ''
}

/** Locks the row, because the administrator may just have been disabled. */
function openSession(
  deps: Deps,
  visitor: Visitor,
  { owner, username, row }: Candidate,
  secret: string | null,
  code = '',
): Promise<Tokens> {
  return transaction(deps.db, async (tx) => {
    if (row) {
      const [locked] = await store.lockById(tx, { id: row.id })
      if (!locked || locked.disabledAt || locked.passwordHash !== row.passwordHash)
        throw accountErrors.InvalidCredentials({ message: accountTexts.admin.failed })
      // The app was set up after this sign-in had begun without one.
      if (secret === null && locked.totpConfirmedAt) throw accountErrors.AdminCodeRequired()
    }
    if (secret !== null) await consumeCode(tx, owner, row, secret, code)
    const isKnown = await isKnownNetwork({ ...deps, db: tx }, visitor, owner)
    await storeKnownNetwork(deps, tx, visitor, owner)
    const id = newId()
    await recordAdminEvent(
      tx,
      { id: row?.id ?? null, role: row?.role ?? 'OPERATOR', sessionId: id, ip: visitor.ip },
      {
        act: 'signedIn',
        after: { withCode: secret !== null, isRecovery: secret !== null && !isTotpCode(code), isKnown },
      },
    )
    if (!row) await emailOperator(deps, tx, settingsSignInEmail(deps.config, username, visitor))
    else if (!isKnown) await emailOperator(deps, tx, unknownNetworkEmail(deps.config, username, visitor))
    return startSession(deps, tx, visitor, {
      kind: 'administrator',
      owner,
      id,
      lasting: sessionLifetimes.administrator,
    })
  })
}

async function consumeCode(
  tx: Db,
  owner: string,
  row: AdministratorRow | null,
  secret: string,
  code: string,
): Promise<void> {
  if (isTotpCode(code) && secret !== '') return consumeTotpCode(tx, owner, secret, code)
  const used = row
    ? await store.markRecoveryCodeUsed(tx, { administratorId: row.id, hash: hashToken(code) })
    : []
  if (used.length === 0) throw accountErrors.InvalidAdminCode()
}

/**
 * An administrator has no password reset, so guesses must not lock them out: a browser or network
 * they have used before has its own limit. From the tenth guess on, all other visitors share a wait
 * of at most a minute. Requests during the wait count only against the limit of their own address,
 * so that a flood from one address does not use up the next attempt.
 */
async function startAdministratorAttempt(
  deps: Deps,
  visitor: Visitor,
  username: string,
  candidate: Candidate | null,
): Promise<Pick<SignInAttempt, 'succeed' | 'refund'>> {
  const ip = networkOf(visitor.ip)
  const device = candidate && readKnownDevice(deps, visitor, proofOf(candidate))
  const isKnown = await isKnownNetwork(deps, visitor, candidate?.owner ?? adminCredentials(deps.config))
  if (device) return startSignInAttempt(deps, [{ rule: throttleLimits.adminFromDevice, subject: device }])
  if (isKnown) return startSignInAttempt(deps, [{ rule: throttleLimits.adminFromKnown, subject: ip }])
  await consumeLimit(deps, throttleLimits.adminFromIp, ip)
  const attempt = await startSignInAttempt(deps, [
    { rule: throttleLimits.adminToName, subject: username.toLowerCase(), refundOnly: true },
  ])
  const refundAddress = () => refundLimit(deps, throttleLimits.adminFromIp, ip)
  return {
    succeed: async () => {
      await refundAddress()
      await attempt.succeed()
    },
    refund: async () => {
      await refundAddress()
      await attempt.refund()
    },
  }
}

/** Compares digests of equal length, so the time does not reveal how much of a guess was right. */
const isSame = (given: string, right: string): boolean =>
  timingSafeEqual(digest(given), digest(right)) && right !== ''
const digest = (text: string) => createHash('sha256').update(text).digest()
