import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts'

/** Opens one PostgreSQL for a test run; it and its folder are removed with the test process. */
export async function startTestCluster(): Promise<EmbeddedPostgres & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-test-'))
  return { ...(await startEmbeddedPostgres({ dataDir, throwaway: true })), dataDir }
}
