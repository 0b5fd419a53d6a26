import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { transaction } from './open-database.ts'

const server = await startTestServer()
const { db } = server.deps

test('rejects when the work swallows a database error', async () => {
  const forgetful = transaction(db, async (tx) => {
    await tx.execute(sql`select 1 / 0`).catch(() => {})
  })
  await expect(forgetful).rejects.toThrow('rolled back instead of committed')
})

test('turns off JIT and parallel workers in every session', async () => {
  const { rows } = await db.execute(
    sql`select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as helpers`,
  )
  expect(rows).toEqual([{ jit: 'off', helpers: '0' }])
})
