import { randomBytes } from 'node:crypto'
import { accountErrors } from '@keyturn/contract/accounts/texts.ts'
import { sql } from 'drizzle-orm'
import { generateSecret, generateURI, ScureBase32Plugin, verifySync } from 'otplib'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../platform/database/open-database.ts'
import { prepareStatement } from '../../../platform/database/prepare-query.ts'
import { decryptWithEitherSecret, type EncryptedColumn } from '../../../platform/startup/session-secret.ts'
import { encrypt } from '../../../shared/encryption.ts'

/** RFC 6238 as every authenticator app implements it. */
const period = 30
const purpose = 'keyturn codes of administrators'

export const totpSecretColumn: EncryptedColumn = {
  table: 'administrators',
  id: 'id',
  column: 'totp_secret',
  purpose,
}

type Secrets = Pick<Config, 'sessionSecret' | 'oldSessionSecret'>

/** Makes a secret of 160 bits, as RFC 4226 recommends. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

export const encryptTotpSecret = (
  { sessionSecret }: Pick<Secrets, 'sessionSecret'>,
  secret: string,
): Buffer => encrypt(sessionSecret, purpose, Buffer.from(secret))

/** Returns null if the secret was stored under another SESSION_SECRET; an operator then removes it. */
export const decryptTotpSecret = (secrets: Secrets, stored: Buffer): string | null =>
  decryptWithEitherSecret(secrets, purpose, stored)?.toString() ?? null

/** The address that an authenticator app reads from the QR code. */
export const totpUri = ({ publicUrl }: Pick<Config, 'publicUrl'>, username: string, secret: string): string =>
  generateURI({ issuer: `Keyturn ${publicUrl.host}`, label: username, secret })

/**
 * Accepts a code of this step or of one step before or after, and each step once. The row's update
 * decides between two sign-ins with one code. Throws `InvalidAdminCode`.
 */
export async function consumeTotpCode(tx: Db, owner: string, secret: string, code: string): Promise<void> {
  const [clock] = await readSeconds(tx, {})
  const checked = verifySync({
    secret,
    token: code,
    period,
    epoch: clock?.seconds ?? 0,
    epochTolerance: period,
  })
  if (!checked.valid || !('timeStep' in checked)) throw accountErrors.InvalidAdminCode()
  const [used] = await saveStep(tx, { owner, step: checked.timeStep })
  if (!used) throw accountErrors.InvalidAdminCode()
}

const readSeconds = prepareStatement<Record<string, never>, { seconds: number }>(
  'read-seconds',
  () => sql`select floor(extract(epoch from keyturn_now()))::int as seconds`,
)

const saveStep = prepareStatement<{ owner: string; step: number }, { step: number }>(
  'save-code-step',
  (p) => sql`
    insert into administrator_code_steps as s (owner, step) values (${p.owner}, ${p.step}::bigint)
    on conflict (owner) do update set step = excluded.step where s.step < excluded.step
    returning s.step`,
)

export const isTotpCode = (code: string): boolean => /^[0-9]{6}$/.test(code)

/** 80 random bits, so `hashToken` is enough: they cannot be guessed. */
export const newRecoveryCode = (): string => new ScureBase32Plugin().encode(randomBytes(10)).toLowerCase()
