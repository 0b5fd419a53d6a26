import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, openEmbedded } from './open-embedded.ts'

/** Opens one PostgreSQL for a test run; it and its folder are removed with the test process. */
export async function openTestCluster(): Promise<Embedded & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-test-'))
  return { ...(await openEmbedded({ dataDir, throwaway: true })), dataDir }
}
