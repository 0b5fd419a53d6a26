import type { Me } from '@keyturn/contract/accounts/administrators.ts'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import type { Deps } from '../../../deps.ts'
import { now } from '../../../platform/database/columns.ts'
import { type Db, transaction } from '../../../platform/database/open-database.ts'
import type { Administrator } from '../../../platform/http/authorization.ts'
import { consumeLimit, refundLimit, throttleLimits } from '../../../platform/rate-limits/throttles.ts'
import { passwordMatches } from '../people/passwords.ts'
import { hashToken } from '../sessions/cookies.ts'
import { adminSessions } from '../sessions/session-repository.ts'
import type { AdministratorRow } from '../tables.ts'
import { recordAdminEvent } from './admin-events.ts'
import * as store from './administrator-repository.ts'
import { isSettingsPassword } from './sign-in.ts'
import {
  consumeTotpCode,
  decryptTotpSecret,
  encryptTotpSecret,
  isTotpCode,
  newRecoveryCode,
  newTotpSecret,
  totpUri,
} from './totp.ts'

export async function readMe(deps: Deps, administrator: Administrator): Promise<Me> {
  const { id, username, role, mustEnroll } = administrator
  const [row] = id ? await store.findById(deps.db, { id }) : []
  const hasCodes = id ? row?.totpConfirmedAt != null : deps.config.admin?.totpSecret != null
  return { username, role, isFromSettings: id === null, hasCodes, mustEnroll }
}

/** Confirms the session for some minutes. Wrong passwords count, as they do for people. */
export async function confirmPassword(
  deps: Deps,
  administrator: Administrator,
  password: string,
): Promise<void> {
  const { id, sessionId } = administrator
  const subject = id ?? sessionId
  await consumeLimit(deps, throttleLimits.currentPassword, subject)
  const [row] = id ? await store.findById(deps.db, { id }) : []
  const isRight = id
    ? await passwordMatches(password, row?.passwordHash ?? null)
    : isSettingsPassword(deps.config, password)
  if (!isRight) throw accountErrors.ReauthenticationRequired()
  await refundLimit(deps, throttleLimits.currentPassword, subject)
  await transaction(deps.db, async (tx) => {
    await adminSessions.markConfirmed(tx, { id: sessionId })
    await recordAdminEvent(tx, administrator, { act: 'confirmedPassword' })
  })
}

/** Stores a secret that counts once `finishEnrollment` has seen a code of it. */
export function startEnrollment(
  deps: Deps,
  administrator: Administrator,
): Promise<{ secret: string; uri: string }> {
  return transaction(deps.db, async (tx) => {
    const row = await lockWithoutCodes(tx, administrator)
    const secret = newTotpSecret()
    await store.saveAdministrator(tx, row.id, { totpSecret: encryptTotpSecret(deps.config, secret) })
    return { secret, uri: totpUri(deps.config, row.username, secret) }
  })
}

export async function finishEnrollment(
  deps: Deps,
  administrator: Administrator,
  code: string,
): Promise<{ recoveryCodes: string[] }> {
  const subject = administrator.id ?? ''
  await consumeLimit(deps, throttleLimits.adminCode, subject)
  const recovery = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
  await transaction(deps.db, async (tx) => {
    const row = await lockWithoutCodes(tx, administrator)
    const secret = row.totpSecret && decryptTotpSecret(deps.config, row.totpSecret)
    if (!secret || !isTotpCode(code)) throw accountErrors.InvalidAdminCode()
    await consumeTotpCode(tx, row.id, secret, code)
    await store.saveAdministrator(tx, row.id, { totpConfirmedAt: now })
    // A session that was opened with the password alone must not gain the rights of the app.
    await adminSessions.endOtherSessionsOf(tx, {
      owner: row.id,
      sessionId: administrator.sessionId,
      because: 'authenticator app set up',
    })
    await store.replaceRecoveryCodes(tx, row.id, recovery.map(hashToken))
    await recordAdminEvent(tx, administrator, { act: 'enrolledCodes' })
  })
  await refundLimit(deps, throttleLimits.adminCode, subject)
  return { recoveryCodes: recovery }
}

const recoveryCodeCount = 10

/** The administrator of the settings has no row: their secret is a setting. */
async function lockWithoutCodes(tx: Db, { id }: Administrator): Promise<AdministratorRow> {
  const [row] = id ? await store.lockById(tx, { id }) : []
  if (!row) throw apiErrors.Forbidden()
  if (row.totpConfirmedAt) throw accountErrors.CodesAlreadySetUp()
  return row
}
