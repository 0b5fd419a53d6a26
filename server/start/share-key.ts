import type pg from 'pg'
import type { Config } from '../config.ts'
import { type SharedKey, shareKey } from '../platform/startup/shared-keys.ts'
import { print } from '../shared/print.ts'

/** Stores a key in the database, or reads the stored one, unless the setting has its own. */
export async function shareKeyOf(
  config: Config,
  pool: pg.Pool,
  name: SharedKey,
  make: () => Promise<Buffer> | Buffer,
) {
  if (config.sharedKeys.includes(name)) await shareKey({ pool, config, name, make, print })
}
