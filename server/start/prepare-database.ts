import type { Config } from '../config.ts'
import { totpSecretColumn } from '../modules/accounts/administrator/totp.ts'
import { dealerKeysColumn } from '../modules/dealers/dealer-keys.ts'
import { createServingRole, defaultServingRole } from '../platform/database/application-role.ts'
import { readIdentity } from '../platform/database/connections/identity-check.ts'
import type { MigrationResult } from '../platform/database/migrate.ts'
import {
  type Database,
  openDatabase,
  type ConnectionOptions as Serving,
} from '../platform/database/open-database.ts'
import { withoutTimeouts } from '../platform/database/without-timeouts.ts'
import { findOutboundPause } from '../platform/jobs/outbound-pause.ts'
import { createSecret } from '../platform/startup/data-folder.ts'
import { runDeferredMigrations } from '../platform/startup/deferred-migrations.ts'
import { type Lifetime, rollbackGraceMs } from '../platform/startup/lifetime.ts'
import { createPushKey } from '../platform/startup/push-key.ts'
import { checkSessionSecret } from '../platform/startup/session-secret.ts'
import {
  grantRoleOrStartupError,
  migrateOrExit,
  setLimitsOrExit,
} from '../platform/startup/startup-checks.ts'
import { listStartupWarnings } from '../platform/startup/startup-warnings.ts'
import { print } from '../shared/print.ts'
import { withTimeLimit } from '../shared/with-time-limit.ts'
import type { Connection } from './connect.ts'
import { shareKeyOf } from './share-key.ts'

/** Prepares tables, roles and shared keys for all processes. Returns the database's identity. */
export async function prepareDatabase(
  { onClose, step }: Lifetime,
  config: Config,
  { serves, owns }: Connection,
  /** Names of the variables of the environment. */
  names: readonly string[],
): Promise<string> {
  const database = openDatabase({ ...serves, max: 2 })
  const closeDatabase = onClose(() => withTimeLimit(rollbackGraceMs, database.close()))
  const owner = owns ? openDatabase({ ...owns, max: 2 }) : database
  const closeOwner = onClose(
    async () => owner === database || (await withTimeLimit(rollbackGraceMs, owner.close())),
  )
  if (config.databaseDirectUrl) await step(setLimitsOrExit(database.pool, config.databaseDirectUrl))
  const { deferred } = await step(migrateDatabase(step, config, owner, database))
  if (
    config.databaseUrl &&
    (await step(checkSessionSecret(database.pool, config, [dealerKeysColumn, totpSecretColumn])))
  )
    print('SESSION_SECRET was rotated. Stored keys are encrypted with the new secret.')
  for (const line of await step(listStartupWarnings(config, names, database.pool))) print(line)
  for (const name of ['evidence-key', 'push-key'] as const)
    await step(shareKeyOf(config, database.pool, name, name === 'push-key' ? createPushKey : createSecret))
  const stopped = await step(findOutboundPause(database.db))
  if (stopped) print(`No email, delivery or push is sent (${stopped}) before: npm run restore -- --release`)
  const identity = await step(withoutTimeouts(database.pool, readIdentity))
  await closeOwner()
  await closeDatabase()
  const migrateDeferred = () => migrateOnce(config, { ...(owns ?? serves), served: { identity } })
  const stopDeferred = runDeferredMigrations({ first: deferred, migrate: migrateDeferred, print })
  onClose(async () => stopDeferred())
  return identity
}

async function migrateOnce(config: Config, connection: Serving): Promise<MigrationResult> {
  const owner = openDatabase({ ...connection, max: 1 })
  try {
    return await migrateOrExit(owner.pool, config)
  } finally {
    await owner.close()
  }
}

async function migrateDatabase(
  step: Lifetime['step'],
  config: Config,
  owner: Database,
  database: Database,
): Promise<MigrationResult> {
  const done = await step(migrateOrExit(owner.pool, config))
  const { ran } = done
  if (ran.length > 0) print(`Database migrated (${ran.length} migrations).`)
  if (!config.databaseUrl) await step(createServingRole(owner.pool, defaultServingRole))
  const hint = await step(grantRoleOrStartupError(owner.pool, database.pool, config))
  if (hint) print(hint)
  return done
}
