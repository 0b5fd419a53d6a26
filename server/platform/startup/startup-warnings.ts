import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { settings } from '../../settings.ts'
import { decrypt, encrypt } from '../../shared/encryption.ts'
import { splitDatabaseAddress } from '../database/connections/database-hosts.ts'
import { hasOtherServers } from '../database/migrations/online/running-servers.ts'
import { readOrCreateFile } from './data-folder.ts'
import { encryptionPurpose } from './session-secret.ts'

// Startup warnings: settings that work but are probably mistakes.

/** Returns a warning for each variable that looks like a misspelled setting. */
export function findUnknownSettings(names: readonly string[]): string[] {
  const known = Object.keys(settings.shape)
  return (
    names
      // Linux desktop sessions set SESSION_MANAGER.
      .filter((name) => !known.includes(name) && name.length >= 6 && name !== 'SESSION_MANAGER')
      .flatMap((name) => {
        const near = known.find((one) => one.length >= 6 && editDistance(name, one) <= 2)
        if (near) return [`Unknown setting ${name}. Did you mean ${near}?`]
        return ownPrefixes.some((prefix) => name.startsWith(prefix)) ? [`Unknown setting ${name}.`] : []
      })
  )
}

/** Prefixes that no common program uses for its environment variables. */
const ownPrefixes = [
  ...['BACKUP_', 'DATABASE_', 'DEALER_', 'DKIM_', 'EVIDENCE_', 'KEYTURN_', 'METRICS_', 'PUSH_', 'RATE_LIMIT'],
  ...['SEAL_', 'SESSION_', 'SMTP_', 'TAX_API_', 'TRUST_PROXY', 'VAPID_', 'WEBHOOKS_', 'WHOLESALER_'],
]

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= other.length; to++)
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (letter === other[to - 1] ? 0 : 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

export async function listStartupWarnings(
  config: Config,
  names: readonly string[],
  pool: pg.Pool,
): Promise<string[]> {
  return [
    ...findUnknownSettings(names),
    ...(config.production && config.smtpUrl === null ? [noMail] : []),
    ...((await hasOtherPhotos(config, pool)) ? [otherPhotos(config)] : []),
    ...((await canLoseCommits(config, pool)) ? [losesCommits] : []),
  ]
}

const noMail = 'SMTP_URL is not set: no email is sent, so nobody can verify an address or reset a password.'
const otherPhotos = ({ dataDir }: Config) =>
  `Other servers of this database do not use the photo folder ${join(dataDir, 'photos')}. Share it, or set S3_BUCKET.`
const losesCommits =
  'DATABASE_URL names several hosts, and the database has no synchronous standby (synchronous_standby_names): a failover loses the last commits.'

/** A file identifies the folder, and a database row stores the folder of the running servers. */
async function hasOtherPhotos(
  { dataDir, s3, databaseUrl, sessionSecret }: Config,
  pool: pg.Pool,
): Promise<boolean> {
  if (s3 || !databaseUrl) return false
  const id = readOrCreateFile(join(dataDir, 'photos'), folderId, () => randomBytes(16))
  const { rows } = await pool.query<{ encrypted: Buffer }>(
    'select encrypted from server_keys where name = $1',
    [folderId],
  )
  const stored = rows[0] && decrypt(sessionSecret, encryptionPurpose(folderId), rows[0].encrypted)
  if (stored?.equals(id)) return false
  if (stored && (await hasOtherServers(pool))) return true
  await pool.query(
    `insert into server_keys (name, encrypted, digest) values ($1, $2, '')
     on conflict (name) do update set encrypted = excluded.encrypted`,
    [folderId, encrypt(sessionSecret, encryptionPurpose(folderId), id)],
  )
  return false
}

const folderId = 'photo-folder'

async function canLoseCommits({ databaseUrl }: Config, pool: pg.Pool): Promise<boolean> {
  if (!databaseUrl || splitDatabaseAddress(databaseUrl).length < 2) return false
  const { rows } = await pool.query<{ names: string }>(
    `select current_setting('synchronous_standby_names') as names`,
  )
  return rows[0]?.names.trim() === ''
}
