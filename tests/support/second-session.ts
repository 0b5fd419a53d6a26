import pg from 'pg'
import { afterAll, expect, onTestFinished, vi } from 'vitest'
import type { TestServer } from './test-server.ts'

/**
 * Opens a session that changes a person without committing. A check made before the lock then
 * passes, and no longer holds once the lock is acquired.
 */
export async function openSecondSession(house: TestServer) {
  const other = new pg.Client({ connectionString: house.databaseUrl })
  await other.connect()
  afterAll(() => other.end())

  return async <T>(personId: string, change: string, act: () => Promise<T>): Promise<T> => {
    await other.query('begin')
    await other.query(`update users set ${change} where id = $1`, [personId])
    const acted = act()
    await Promise.race([acted, untilLockWait(house)])
    await other.query('commit')
    return acted
  }
}

/** Resolves once a statement on this database waits for a lock. */
export const untilLockWait = ({ query }: Pick<TestServer, 'query'>): Promise<void> =>
  vi.waitFor(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    expect(await query(waiting)).not.toEqual([])
  }, 30_000)

/** Opens a separate connection for a test. */
export async function aClient(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
