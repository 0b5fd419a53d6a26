import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../server/integrations/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '../server/platform/database/migrate.ts'

export type BenchCluster = { dataDir: string; connectionString: string }

/**
 * Measures on an embedded PostgreSQL with fsync on. Without `folder` its data is removed
 * afterwards.
 */
export async function withCluster(
  measure: (cluster: BenchCluster) => Promise<void>,
  folder?: string,
): Promise<void> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'keyturn-bench-'))
  mkdirSync(dataDir, { recursive: true })
  const { connectionString, stop } = await startEmbeddedPostgres({ dataDir })
  try {
    await measure({ dataDir, connectionString })
  } finally {
    await stop()
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  process.exit(0)
}

export async function migrateDatabase(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString })
  await migrate(pool)
  await pool.end()
}

/** Returns the quantile of the values for a share from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)
