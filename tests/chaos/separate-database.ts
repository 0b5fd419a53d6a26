import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterPath } from '../../server/integrations/embedded-postgres/cluster.ts'
import { startEmbeddedPostgres } from '../../server/integrations/embedded-postgres/start-embedded-postgres.ts'
import { startLossyProxy } from '../support/http/lossy-proxy.ts'
import { createEnvironment, type Environment } from './setup.ts'

/** A separate PostgreSQL that a case may kill, always at the same address. */
export type SeparateDatabase = {
  environment: Environment
  dataDir: string
  /** Whether the postmaster is alive. A full disk may end it. */
  isRunning(): boolean
  kill(): void
  /** Restarts it on the same folder, with crash recovery if it was killed. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** `disk` is the size in MB of a separate disk, which requires root. */
export async function startSeparateDatabase({ disk = 0 } = {}): Promise<SeparateDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  if (disk > 0) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}m`, 'tmpfs', dataDir])
  let postgres = await startEmbeddedPostgres({ dataDir })
  const network = await startLossyProxy(postgres.connectionString)
  const environment = await createEnvironment(network.connectionString, 'faults')
  const postmasterPid = () => {
    const [pid] = readFileSync(join(clusterPath(dataDir), 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid)
  }
  return {
    environment,
    dataDir,
    isRunning() {
      try {
        return process.kill(postmasterPid(), 0)
      } catch {
        return false
      }
    },
    kill: () => void process.kill(postmasterPid(), 'SIGKILL'),
    async restart() {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ dataDir })
      network.retarget(postgres.connectionString)
    },
    async close() {
      await environment.close()
      await network.close()
      await postgres.stop()
      if (disk > 0) execFileSync('umount', ['-l', dataDir])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
