import pg from 'pg'
import type { Config } from '../../config.ts'
import { describeError } from '../../shared/describe-error.ts'
import { findServingRole, grantServingRole } from '../database/application-role.ts'
import { formatDatabaseAddress } from '../database/connections/database-hosts.ts'
import { setUserLimits } from '../database/connections/session-limits.ts'
import { type MigrationResult, migrate } from '../database/migrate.ts'
import { StartupError } from './startup-error.ts'

/**
 * Runs the migrations. Throws a `StartupError` with the address of the database, but without its
 * password, if it cannot be used.
 */
export async function migrateOrExit(pool: pg.Pool, config: Config): Promise<MigrationResult> {
  const { databaseUrl, databaseOwnerUrl } = config
  const served = databaseUrl && !databaseOwnerUrl
  return orStartupError(databaseOwnerUrl ?? databaseUrl, () => migrate(pool), served ? ownerHint : '')
}

/** Sets session limits of the database user, for servers behind a pooler (R-everywhere-52). */
export async function setLimitsOrExit(pool: pg.Pool, direct: string): Promise<void> {
  if (!(await orStartupError(direct, () => setUserLimits(pool))))
    throw new StartupError(
      'DATABASE_URL and DATABASE_DIRECT_URL must be addresses of the same database and user.',
    )
}

/** Grants the serving role access to the tables. Returns a hint if it is the owner's role. */
export async function grantRoleOrExit(
  owner: pg.Pool,
  serving: pg.Pool,
  config: Config,
): Promise<string | null> {
  const { user } = await orStartupError(config.databaseUrl, () => findServingRole(serving))
  if (owner !== serving) await orStartupError(config.databaseOwnerUrl, () => grantServingRole(owner, user))
  const { hasTables, isGuarded } = await findServingRole(serving)
  if (!hasTables)
    throw new StartupError('DATABASE_URL and DATABASE_OWNER_URL must be addresses of the same database.')
  if (isGuarded && config.demo && owner === serving)
    throw new StartupError(
      'DEMO=1 needs DATABASE_OWNER_URL: only the owner of the tables can create the demo accounts.',
    )
  return isGuarded ? null : guardHint
}

const guardHint =
  "Evidence is guarded by triggers alone: the user of DATABASE_URL owns it. To guard it by privileges too, run create role keyturn_app login password '...', put that user into DATABASE_URL, and the current address into DATABASE_OWNER_URL (docs/production.md, Two database users)."

const ownerHint = '. DATABASE_OWNER_URL names the user who may change the tables.'

const poolerHint = '. Behind a pooler such as PgBouncer, DATABASE_DIRECT_URL names the database itself.'

async function orStartupError<T>(
  address: string | null,
  work: () => Promise<T>,
  ifForbidden = '',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!address || error instanceof StartupError) throw error
    const more = isForbidden(error)
      ? ifForbidden
      : /startup parameter/.test(describeError(error))
        ? poolerHint
        : ''
    throw new StartupError(
      `The database ${formatDatabaseAddress(address)} cannot be used: ${describeError(error)}${more}`,
    )
  }
}

/** SQLSTATE 42501: insufficient privilege. */
const isForbidden = (error: unknown) => error instanceof pg.DatabaseError && error.code === '42501'

type Address = { host: string; port: number }

export async function listenOrExit(
  listen: () => Promise<unknown>,
  { host, port }: Address,
  setting = 'PORT',
): Promise<void> {
  try {
    await listen()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    if (error.code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${port} on ${host} is used by another program. Set ${setting} to a free one.`,
      )
    throw new StartupError(`Keyturn cannot listen on ${host}:${port}: ${error.message}`)
  }
}
