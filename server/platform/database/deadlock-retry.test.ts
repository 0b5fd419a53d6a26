import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../../../tests/support/browser.ts'
import { aSeller } from '../../../tests/support/people.ts'
import { aCarForm } from '../../../tests/support/sales/deals.ts'
import { connectClient, waitForLockWait } from '../../../tests/support/second-session.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { buildApp } from '../../app.ts'
import { transaction } from './open-database.ts'

// Transactions that the database aborts because of a conflict with other transactions.

const server = await startTestServer()

test('retries a transaction once, successfully, after a deadlock aborted it', async () => {
  await server.query('create table rows (name text primary key, count int not null default 0)')
  await server.query(`insert into rows values ('one'), ('other')`)
  const rival = await connectClient(server.ownerUrl)
  // The first to detect the deadlock is aborted; the rival does not check for one.
  await rival.query(`set deadlock_timeout = '1h'`)
  await rival.query('begin')
  await rival.query(`update rows set count = count + 1 where name = 'other'`)
  let runs = 0
  let rivals: Promise<unknown> = Promise.resolve()
  await transaction(server.deps.db, async (tx) => {
    runs++
    // Without this wait, the retry may block the rival again.
    await rivals
    await tx.execute(sql`update rows set count = count + 1 where name = 'one'`)
    if (runs === 1) {
      rivals = rival
        .query(`update rows set count = count + 1 where name = 'one'`)
        .then(() => rival.query('commit'))
      await waitForLockWait(server)
    }
    await tx.execute(sql`update rows set count = count + 1 where name = 'other'`)
  })
  await rivals
  expect(runs).toBe(2)
  expect(await server.query('select count from rows')).toEqual([{ count: 2 }, { count: 2 }])
})

const codes = ['40P01', '40001']

test.each(codes)('makes a change exactly once when its transaction was aborted once (%s)', async (code) => {
  const { list } = await givingUp(code, 1)
  const { sent, made } = await list()
  expect([sent.status, made]).toEqual([201, 1])
})

test.each(codes)(
  'returns 503 with Retry-After and logs the code when a transaction was aborted twice (%s)',
  async (code) => {
    const { list, lines } = await givingUp(code, 2)
    const { sent, made } = await list()
    expect([sent.status, sent.error.errorCode, made]).toEqual([503, 'Unavailable', 0])
    expect(Number(sent.headers['retry-after'])).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes(`"code":"${code}"`))).toHaveLength(1)
    expect((await list()).sent.status).toBe(201)
  },
)

/** Makes the first `times` inserts of cars fail. A sequence counts them: it never rolls back. */
async function givingUp(code: string, times: number) {
  await server.query('create sequence listings')
  await server.query(`create function give_up() returns trigger language plpgsql as $$ begin
    if nextval('listings') <= ${times} then raise exception 'given up' using errcode = '${code}'; end if;
    return new;
  end $$`)
  await server.query('create trigger given_up before insert on cars for each row execute function give_up()')
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const app = await buildApp({ ...server.deps, log }, new URL('../../../dist/web', import.meta.url))
  onTestFinished(async () => {
    await app.close()
    await server.query('drop function give_up cascade')
    await server.query('drop sequence listings')
  })
  const seller = await aSeller(server)
  const browser = openBrowser(app)
  for (const [name, value] of seller.cookies) browser.cookies.set(name, value)
  const car = aCarForm()
  return {
    lines,
    list: async () => {
      const sent = await browser.send(addCar, { body: car })
      const made = await server.query('select id from cars where vin = $1', [car.vin])
      return { sent, made: made.length }
    },
  }
}
