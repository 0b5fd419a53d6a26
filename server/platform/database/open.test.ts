import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { transaction } from './open.ts'

const house = await startTestServer()
const { db } = house.deps

test('work that forgets an error of the database is not taken for done', async () => {
  const forgetful = transaction(db, async (tx) => {
    await tx.execute(sql`select 1 / 0`).catch(() => {})
  })
  await expect(forgetful).rejects.toThrow('rolled back instead of committed')
})

test('no plan is compiled or shared among processes before it runs, however much the planner thinks it costs', async () => {
  const { rows } = await db.execute(
    sql`select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as helpers`,
  )
  expect(rows).toEqual([{ jit: 'off', helpers: '0' }])
})
