import type pg from 'pg'
import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { reasonOf } from '../kit/reason-of.ts'
import { StartRefusal } from './start-refusal.ts'

/** The first use of the database: one that cannot be used is told with its place, and never with its password. */
export async function migrateOrRefuse(pool: pg.Pool, config: Config, migrations: URL): Promise<string[]> {
  try {
    return await migrate(pool, migrations)
  } catch (error) {
    if (!config.databaseUrl || error instanceof StartRefusal) throw error
    const { host, pathname } = new URL(config.databaseUrl)
    throw new StartRefusal(`The database ${host}${pathname} cannot be used: ${reasonOf(error)}`)
  }
}

export async function listenOrRefuse(listen: () => Promise<unknown>, config: Config): Promise<void> {
  try {
    await listen()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    if (error.code === 'EADDRINUSE')
      throw new StartRefusal(
        `Port ${config.port} on ${config.host} is taken by another program. Set PORT to a free one.`,
      )
    throw new StartRefusal(`Keyturn cannot listen on ${config.host}:${config.port}: ${error.message}`)
  }
}
