import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterIn } from '../embedded-postgres/cluster.ts'
import { openEmbedded } from '../embedded-postgres/open.ts'
import { openProxy } from '../test/proxy.ts'
import { type Ground, openGround } from './ground.ts'

/** A PostgreSQL of a case's own, which may be killed. It is always reached at the same address. */
export type OwnDatabase = {
  ground: Ground
  /** SIGKILL of the one process that keeps all others. */
  kill(): void
  /** Starts it again on the same folder; it recovers by its log first. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openOwnDatabase(): Promise<OwnDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
  let postgres = await openEmbedded({ dataDir })
  const network = await openProxy(postgres.connectionString)
  const ground = await openGround(network.connectionString, 'faults')
  return {
    ground,
    kill() {
      const [pid] = readFileSync(join(clusterIn(dataDir), 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async restart() {
      await postgres.stop()
      postgres = await openEmbedded({ dataDir })
      network.retarget(postgres.connectionString)
    },
    async close() {
      await ground.close()
      await network.close()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
