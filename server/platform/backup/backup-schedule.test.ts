// @module-tag full

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  createTestFolder,
  minimalSettings,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { readHeadForBackup } from '../../modules/agreements/evidence-log/evidence-log.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { readRecentBackups } from './backup-repository.ts'
import { createBackupTasks } from './backup-tasks.ts'
import { makeBackup } from './make-backup.ts'

const testServer = await startTestServer({
  // A path where no folder can be created.
  BACKUP_FOLDER: '/dev/null/backups',
  ADMIN_EMAIL: 'admin@example.com',
  BACKUP_AT: '03:30',
  BACKUP_KEEP: '1d',
})

const rows = () =>
  testServer.query<{ path: string | null; failed_because: string | null }>(
    'select path, failed_because from backups order by id',
  )
const letters = () =>
  testServer.query<{ text: string }>(`select text from mails where recipient = 'admin@example.com'`)

async function planned() {
  const [job] = await testServer.query<{ seconds: number; at: string; because: string }>(
    `select extract(epoch from run_at - keyturn_now())::int as seconds, failed_because as because,
       to_char(run_at at time zone 'UTC', 'HH24:MI') as at from jobs where name = 'back-up'`,
  )
  return job
}

const until = (holds: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await holds()).toBe(true), 60_000)

test('makes the first backup immediately and the next on schedule, and applies the retention', async () => {
  const parent = createTestFolder()
  for (const name of ['keyturn-2020-01-01T03-30-00.000Z', 'keyturn-2020-01-02T03-30-00.000Z', 'mine'])
    mkdirSync(join(parent, name))
  const server = startServerProcess({
    ...minimalSettings(testServer.databaseUrl),
    DATABASE_OWNER_URL: testServer.ownerUrl,
    DATA_DIR: testServer.deps.config.dataDir,
    BACKUP_FOLDER: parent,
    BACKUP_AT: '03:30',
    BACKUP_KEEP: '1d',
  })
  await server.says('Keyturn is ready')
  await until(() => readdirSync(parent).length === 2)
  const [made] = await rows()
  expect(
    readdirSync(parent)
      .map((name) => join(parent, name))
      .sort(),
  ).toEqual([made?.path, join(parent, 'mine')].sort())
  // The second backup waits for its time of day.
  await until(async () => ((await planned())?.seconds ?? 0) > 30)
  const { now, lastComplete } = await readRecentBackups(testServer.deps.db)
  expect((await planned())?.at).toBe('03:30')
  expect(now.getTime() - (lastComplete?.getTime() ?? 0)).toBeLessThan(60_000)
  expect(await rows()).toHaveLength(1)
  server.send('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('notifies the administrator only of the first failure, and never runs two backups concurrently', async () => {
  await testServer.query(`delete from backups; delete from jobs; delete from mails`)
  const command = join(createTestFolder(), 'command.mjs')
  writeFileSync(command, `process.stderr.write('the disk is full\\n'); process.exitCode = 1`)
  const jobs = createBackupTasks(testServer.deps, new URL(`file://${command}`))
  await jobs.plan()
  const look = async (clock: string) => {
    await testServer.moveClock(clock)
    await testServer.query(`update jobs set run_at = keyturn_now()`)
    await runDueJobs(testServer.deps, jobs.tasks)
  }
  const { pool, pictures, config } = testServer.deps
  await makeBackup(
    {
      pool,
      photos: pictures,
      config,
      readHead: async (db) => {
        await look('0')
        expect(await planned()).toMatchObject({ because: 'a backup is running' })
        return readHeadForBackup(db)
      },
    },
    createTestFolder(),
  )
  expect(await letters()).toEqual([])
  await look('0')
  await until(async () => (await letters()).length === 1)
  expect((await letters())[0]?.text).toContain('the disk is full')
  expect((await letters())[0]?.text).toContain('There is no backup yet.')
  // There is no retry before 15 minutes have passed.
  await look('10 minutes')
  expect((await planned())?.seconds).toBeGreaterThan(200)
  expect(await rows()).toHaveLength(1)
  await look('16 minutes')
  await until(async () => (await rows()).length === 2)
  await look('17 minutes')
  expect(await letters()).toHaveLength(1)
  jobs.close()
  await testServer.moveClock('0')
})
