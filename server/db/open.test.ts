import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openHouse } from '../test/house.ts'
import { transaction } from './open.ts'

const house = await openHouse()
const { db } = house.deps

test('a connection that breaks in the middle of a transaction fails that one, and nothing else', async () => {
  const broken = transaction(db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await house.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
    // While it is not asked anything, nobody but the connection itself hears of it.
    await new Promise((resolve) => setTimeout(resolve, 50))
    await tx.execute(sql`select 1`)
  })
  await expect(broken).rejects.toThrow()
  expect(await transaction(db, (tx) => tx.execute(sql`select 1`))).toMatchObject({ rowCount: 1 })
})

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
