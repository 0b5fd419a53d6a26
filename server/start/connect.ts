import type pg from 'pg'
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from '../integrations/embedded-postgres/start-embedded-postgres.ts'
import { defaultServingRole } from '../platform/database/application-role.ts'
import type { ConnectionOptions as Serving } from '../platform/database/open-database.ts'
import type { Lifetime } from '../platform/startup/lifetime.ts'
import { StartupError } from '../platform/startup/startup-error.ts'
import { print } from '../shared/print.ts'
import { withTimeLimit } from '../shared/with-time-limit.ts'

/** In ms, for a database that is starting, or whose creation is aborted. */
const openingMs = 8_000

/** The serving role and, where it differs, the owner of the tables. */
export type Connection = { serves: Serving; owns: pg.PoolConfig | null }

/** Returns how to reach the database of the settings, or starts the embedded one. */
export async function connect({ onClose, fail }: Lifetime, config: Config): Promise<Connection> {
  const { databaseUrl, databaseOwnerUrl, dataDir } = config
  if (databaseUrl)
    return {
      serves: servingOf(config),
      owns: databaseOwnerUrl ? { connectionString: databaseOwnerUrl } : null,
    }
  const ended = new AbortController()
  const opening = startEmbeddedPostgres({ dataDir, onProgress: print, ending: ended.signal })
  onClose(async () => {
    ended.abort()
    await (await withTimeLimit(openingMs, opening))?.stop()
  })
  const embedded = await opening
  void embedded.failed.then((why) => fail(new StartupError(`The database has ended: ${why}`)))
  return { serves: { ...embedded.connection, user: defaultServingRole }, owns: embedded.connection }
}

export function servingOf(
  { databaseUrl, databaseDirectUrl }: Config,
  embedded: pg.PoolConfig | null = null,
): Serving {
  return embedded ?? { connectionString: databaseUrl ?? '', direct: databaseDirectUrl ?? undefined }
}
