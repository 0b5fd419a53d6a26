import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterPath } from '../../server/integrations/embedded-postgres/cluster.ts'
import { openEmbedded } from '../../server/integrations/embedded-postgres/open-embedded.ts'
import { openProxy } from '../support/proxy.ts'
import { type Ground, openGround } from './setup.ts'

/** A separate PostgreSQL that a case may kill, always at the same address. */
export type OwnDatabase = {
  ground: Ground
  dataDir: string
  /** Whether the postmaster is alive. It may have exited when its disk was full. */
  isRunning(): boolean
  kill(): void
  /** Restarts it on the same folder, with crash recovery. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** `disk` is the size in MB of a separate disk, which requires root. */
export async function openOwnDatabase({ disk = 0 } = {}): Promise<OwnDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  if (disk > 0) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk}m`, 'tmpfs', dataDir])
  let postgres = await openEmbedded({ dataDir })
  const network = await openProxy(postgres.connectionString)
  const ground = await openGround(network.connectionString, 'faults')
  const keeper = () => {
    const [pid] = readFileSync(join(clusterPath(dataDir), 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid)
  }
  return {
    ground,
    dataDir,
    isRunning() {
      try {
        return process.kill(keeper(), 0)
      } catch {
        return false
      }
    },
    kill: () => void process.kill(keeper(), 'SIGKILL'),
    async restart() {
      await postgres.stop()
      postgres = await openEmbedded({ dataDir })
      network.retarget(postgres.connectionString)
    },
    async close() {
      await ground.close()
      await network.close()
      await postgres.stop()
      if (disk > 0) execFileSync('umount', ['-l', dataDir])
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
