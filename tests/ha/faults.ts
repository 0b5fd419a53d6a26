import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { signal, waitUntil } from './processes.ts'

export type Fault = {
  name: string
  isSynchronous: boolean
  /** Causes the fault. Returns the function that mends the machine while the sales go on. */
  cause(cluster: Cluster): Promise<() => Promise<void> | void>
}

export const faults: readonly Fault[] = [
  {
    name: 'nothing fails',
    isSynchronous: true,
    cause: async () => () => {},
  },
  {
    name: 'primary killed',
    isSynchronous: true,
    async cause(cluster) {
      const primary = await cluster.leader()
      cluster.kill(primary)
      return () => cluster.restart(primary)
    },
  },
  {
    name: 'walsender stopped',
    isSynchronous: true,
    async cause(cluster) {
      const standby = await cluster.confirmingStandby()
      const pids = await walsenders(cluster, `application_name = '${standby.name}'`)
      for (const pid of pids) signal(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) signal(pid, 'SIGCONT')
      }
    },
  },
  {
    name: 'standby lost',
    isSynchronous: true,
    async cause(cluster) {
      const standby = await cluster.confirmingStandby()
      cluster.kill(standby)
      return () => cluster.restart(standby)
    },
  },
  {
    // The standbys are two seconds behind, as after a slow network.
    name: 'primary killed, asynchronous',
    isSynchronous: false,
    async cause(cluster) {
      const primary = await cluster.leader()
      for (const pid of await walsenders(cluster, 'true')) signal(pid, 'SIGSTOP')
      await wait(2000)
      cluster.kill(primary)
      return () => cluster.restart(primary)
    },
  },
]

async function walsenders(cluster: Cluster, condition: string): Promise<number[]> {
  const rows = await cluster.query<{ pid: number }>(
    `select pid from pg_stat_replication where state = 'streaming' and ${condition}`,
  )
  if (rows.length === 0) throw new Error('No standby is connected')
  return rows.map(({ pid }) => pid)
}

/** Waits until commits wait for a standby, or do not. */
export async function setSynchronous(cluster: Cluster, isSynchronous: boolean): Promise<void> {
  await cluster.configure({ synchronous_mode: isSynchronous ? 'quorum' : 'off' })
  await waitUntil('the mode of the commits has changed', 60_000, async () => {
    const [row] = await cluster.query<{ names: string }>(
      `select current_setting('synchronous_standby_names') as names`,
    )
    return (row?.names !== '') === isSynchronous
  })
}
