import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, openEmbedded } from './open.ts'

/** One PostgreSQL for a whole test run, with room for many databases. It and its folder go with the test process. */
export async function openTestCluster(): Promise<Embedded & { dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-test-'))
  return { ...(await openEmbedded({ dataDir, throwaway: true })), dataDir }
}
