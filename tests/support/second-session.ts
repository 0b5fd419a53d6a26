import pg from 'pg'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import type { TestServer } from './test-server.ts'

/**
 * Opens a connection whose change of a person is committed only once `act` waits for the lock. A
 * check that `act` made before the lock is out of date by then. `also`: a statement of the same
 * transaction, with the person's id as $1.
 */
export async function openSecondSession(server: TestServer) {
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  afterAll(() => other.end())

  return async <T>(personId: string, change: string, act: () => Promise<T>, also?: string): Promise<T> => {
    await other.query('begin')
    await other.query(`update users set ${change} where id = $1`, [personId])
    if (also) await other.query(also, [personId])
    const acted = act()
    await Promise.race([acted, waitForLockWait(server)])
    await other.query('commit')
    return acted
  }
}

/** Resolves when a statement on this database is waiting for a lock. */
export const waitForLockWait = ({ query }: Pick<TestServer, 'query'>): Promise<void> =>
  vi.waitFor(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    expect(await query(waiting)).not.toEqual([])
  }, 30_000)

/** Opens a separate connection for a test. */
export async function connectClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
