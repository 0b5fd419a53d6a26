import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { doDueJobs, type Tasks } from '../jobs/jobs.ts'
import { aDatabaseBefore, aDealInSql } from '../test/earlier-database.ts'

// What an earlier version was in the middle of when it ended, and what becomes of it.

const earlier = await aDatabaseBefore('0011')
afterAll(() => earlier.close())
const query = async (text: string) => (await earlier.pool.query(text)).rows
await query(`
  insert into idempotency_keys (owner, key, route, body_hash, status, answer)
    values ('one', 'answered', 'POST /cars/input', '', 201, '{}'), ('one', 'in flight', 'POST /cars/input', '', null, null);
  delete from jobs where key is null or key <> 'clean-accounts';
  update jobs set run_at = keyturn_now() + interval '1 hour';
  insert into jobs (name, key, run_at, attempts, claim) values
    ('send-mail', null, keyturn_now(), 0, null),
    ('send-mail', null, keyturn_now() + interval '120 seconds', 1, nextval('row_versions')),
    ('settle-holds', 'hold of one', keyturn_now() + interval '1 hour', 0, null);`)
await query(`${aDealInSql}
  insert into account_events (user_id, actor, event) values (repeat('a', 24), 'PERSON', 'registered'), (repeat('a', 24), 'CODE', 'verified')`)
const steps = await earlier.migrate()

test('each step is taken once', async () => {
  expect(steps[0]).toBe('0011-kept-answers.sql')
  expect(await earlier.migrate()).toEqual([])
})

test('a key that was answered keeps its answer; one that was still without is free again', async () => {
  expect(await query('select key from idempotency_keys')).toEqual([{ key: 'answered' }])
})

test('work that waited is done; what a process had in hand waits for that process, no longer than before', async () => {
  const done: string[] = []
  const note = (name: string) => ({
    places: 4,
    run: async () => {
      done.push(name)
      return undefined
    },
  })
  const tasks: Tasks = { 'send-mail': note('mail'), 'settle-holds': note('hold') }
  const later = async (interval: string) => {
    await query(`create or replace function keyturn_now() returns timestamptz language sql stable
      as $$ select now() + interval '${interval}' $$`)
    await doDueJobs({ db: earlier.db, log: pino({ level: 'silent' }) }, tasks)
    return done.splice(0)
  }
  expect(await later('0')).toEqual(['mail'])
  expect(await later('121 seconds')).toEqual(['mail'])
  // The end of a hold is a moment that people know: a clock that steps back does not bring it nearer.
  await later('-1 hour')
  expect(await later('1 minute')).toEqual([])
  expect(await later('61 minutes')).toEqual(['hold'])
})

// R-deals-80
test('evidence that was there is counted, and who had none has a tally of nothing', async () => {
  expect(
    await query(
      `select about, rows::int from evidence_tallies where evidence = 'account_events' order by about`,
    ),
  ).toEqual([
    { about: 'a'.repeat(24), rows: 2 },
    { about: 'b'.repeat(24), rows: 0 },
  ])
  expect(await query(`select * from tallies_changed('account_events')`)).toEqual([])
})
