// @module-tag full

import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { servingRoleName } from '../../../tests/support/database/database.ts'
import { createTestFolder, serverAddress, startServerProcess } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { startWriteProbe } from './write-probe.ts'

const testServer = await startTestServer()
const databaseName = new URL(testServer.ownerUrl).pathname.slice(1)
const setReadOnly = (value: 'on' | 'off') =>
  testServer.query(`alter database "${databaseName}" set default_transaction_read_only = ${value}`)

test('detects a read-only database and its recovery', async () => {
  const pool = new pg.Pool({ connectionString: testServer.databaseUrl, max: 1, idleTimeoutMillis: 1 })
  onTestFinished(() => pool.end())
  const changes: string[] = []
  const probe = startWriteProbe(pool, (state) => changes.push(state), 50)
  onTestFinished(probe.stop)
  await setReadOnly('on')
  onTestFinished(() => setReadOnly('off').then(() => {}))
  await vi.waitFor(() => expect(probe.state()).toBe('failing'), 10_000)
  await setReadOnly('off')
  await vi.waitFor(() => expect(probe.state()).toBe('ok'), 10_000)
  expect(changes).toEqual(['failing', 'ok'])
})

test('does not report an unreachable database as read-only', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none', connectionTimeoutMillis: 200 })
  const probe = startWriteProbe(pool, () => {}, 20)
  onTestFinished(probe.stop)
  await vi.waitFor(async () => {
    await expect(pool.query('select 1')).rejects.toThrow()
    expect(probe.state()).toBe('ok')
  })
})

test('reports failing writes at /health/ready with 200', async () => {
  const server = startServerProcess({
    DATABASE_URL: testServer.databaseUrl,
    DATA_DIR: createTestFolder(),
    PORT: '0',
    DEMO: '0',
  })
  await server.says('Keyturn is ready')
  const ready = async () => {
    const answer = await fetch(`${serverAddress(server)}/health/ready`)
    return [answer.status, ((await answer.json()) as { writes: string }).writes]
  }
  expect(await ready()).toEqual([200, 'ok'])
  // Rejects writes like a full disk. A read-only server would drop connections, so /health/ready
  // would return 503.
  await testServer.query(`revoke insert, update on throttles from ${servingRoleName}`)
  await expect.poll(ready, { timeout: 40_000 }).toEqual([200, 'failing'])
})
