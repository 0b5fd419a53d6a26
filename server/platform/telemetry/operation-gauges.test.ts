import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestFolder } from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { readBackupGauges } from '../backup/backup-gauges.ts'
import { readJobGauges } from '../jobs/job-gauges.ts'
import { readEmailGauges } from '../mail/email-gauges.ts'
import { readDiskGauges, readReplicationGauges } from './operation-gauges.ts'

const server = await startTestServer()

test('reads the age of the last complete backup', async () => {
  const age = async () => (await readBackupGauges(server.deps.db))[0]?.value ?? -1
  expect(await age()).toBe(Number.POSITIVE_INFINITY)
  await server.query(`insert into backups (began_at, ended_at, path) values
    (keyturn_now() - interval '2 hours', keyturn_now() - interval '1 hour', '/backups/one')`)
  await server.query(`insert into backups (ended_at, failed_because) values (keyturn_now(), 'disk full')`)
  expect(await age()).toBeCloseTo(3_600, -1)
})

test('counts jobs by kind and unsent emails', async () => {
  await server.query('delete from jobs')
  await server.query(`
    insert into jobs (name, run_at, failed_because) values
      ('no-such-kind', keyturn_now(), 'x'), ('send-mail', keyturn_now() + interval '1 hour', 'nobody listens'),
      ('send-mail', keyturn_now() - interval '1 hour', null), ('clean-accounts', keyturn_now(), '')`)
  await server.query(`
    insert into mails (id, recipient, subject, html, text, queued_at)
      values (repeat('a', 24), 'a@example.com', '', '', '', keyturn_now() - interval '10 minutes')`)
  const seconds = (least: number) => expect.closeTo(least, -1)
  const of = 'send-mail'
  expect(await readJobGauges(server.deps.db, [of, 'clean-accounts'])).toEqual([
    { gauge: 'keyturn_jobs_due', of, value: 1 },
    { gauge: 'keyturn_jobs_oldest_seconds', of, value: seconds(3600) },
    { gauge: 'keyturn_jobs_failing', of, value: 1 },
    { gauge: 'keyturn_jobs_due', of: 'clean-accounts', value: 1 },
    { gauge: 'keyturn_jobs_oldest_seconds', of: 'clean-accounts', value: seconds(0) },
    // The job schedules its own next run.
    { gauge: 'keyturn_jobs_failing', of: 'clean-accounts', value: 0 },
  ])
  expect(await readEmailGauges(server.deps.db)).toEqual([
    { gauge: 'keyturn_mails_waiting', value: 1 },
    { gauge: 'keyturn_mails_given_up', value: 0 },
    { gauge: 'keyturn_mails_oldest_seconds', value: seconds(600) },
  ])
})

test('reads the standbys only if the user is a member of pg_monitor', async () => {
  expect(await readReplicationGauges(server.deps.db)).toEqual([])
})

test('reads the free ratio of each disk and omits missing folders', async () => {
  const dataDir = createTestFolder()
  const backup = { folder: `${dataDir}/not-there`, at: [], keep: { days: 1, weeks: 0, months: 0 } }
  const readings = await readDiskGauges({ ...server.deps.config, dataDir, backup })
  expect(readings).toEqual([{ gauge: 'keyturn_disk_free_ratio', of: 'data', value: expect.any(Number) }])
  expect(readings[0]?.value).toBeGreaterThan(0)
  expect(readings[0]?.value).toBeLessThanOrEqual(1)
})

test('reads the disk of the photos unless they are in an object store', async () => {
  const [dataDir, shared] = [createTestFolder(), createTestFolder()]
  symlinkSync(shared, join(dataDir, 'photos'))
  const config = { ...server.deps.config, dataDir, backup: null }
  const of = async (more: object) =>
    (await readDiskGauges({ ...config, ...more })).map((reading) => reading.of)
  expect(await of({})).toEqual(['data', 'photos'])
  expect(await of({ s3: { bucket: 'cars' } })).toEqual(['data'])
})
