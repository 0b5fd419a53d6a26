// @module-tag full

import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { addCar } from '@keyturn/contract/cars/endpoints.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createBrowserAt } from '../../../../../tests/support/browser-at.ts'
import { aSeller } from '../../../../../tests/support/people.ts'
import { aCarForm } from '../../../../../tests/support/sales/deals.ts'
import { connectClient, waitForLockWait } from '../../../../../tests/support/second-session.ts'
import {
  createTestFolder,
  minimalSettings,
  type ServerProcess,
  serverAddress,
  startServerProcess,
} from '../../../../../tests/support/server-process.ts'
import { startTestServer } from '../../../../../tests/support/test-server.ts'
import { migrate } from '../../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { createIndex, parseConcurrentIndex } from './concurrent-index.ts'

// Two versions share a database: the newer one is this version with more migrations (decision 57).

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

// R-everywhere-54
test('serves every request while a newer server starts under load, and defers `after` migrations until the older one ends', async () => {
  const testServer = await startTestServer()
  const settings = () => ({
    ...minimalSettings(testServer.databaseUrl),
    DATABASE_OWNER_URL: testServer.ownerUrl,
    RATE_LIMITS: 'off',
  })
  const older = startServerProcess(settings())
  await older.says('Keyturn is ready')
  const servers = [older]
  const answers: { status: number; ms: number }[] = []
  let isOver = false
  const adding = Array.from({ length: 3 }, async () => {
    let asked = 0
    const inTurn = () => serverAddress(servers[asked++ % servers.length] as ServerProcess)
    const seller = await aSeller({ ...testServer, browser: () => createBrowserAt(inTurn) })
    while (!isOver) {
      const began = performance.now()
      const { status } = await seller.send(addCar, { body: aCarForm() })
      answers.push({ status, ms: performance.now() - began })
    }
  })
  const count = () => answers.length
  await vi.waitFor(() => expect(count()).toBeGreaterThan(10), 30_000)

  // A long read blocks the migration, and other queries would queue behind the migration's lock.
  const reader = await connectClient(testServer.ownerUrl)
  await reader.query('begin; lock table cars in access share mode')
  const newer = startServerProcess(
    settings(),
    onTestFinished,
    aVersionWith({
      '9001-notes.before.sql': `alter table cars add column note text not null default ''`,
      '9002-index.before.sql': 'create index concurrently cars_by_note on cars (note)',
      '9003-notes.after.sql': 'alter table cars drop column note',
    }),
  )
  await waitForLockWait(testServer)
  const stuck = count()
  await vi.waitFor(() => expect(count()).toBeGreaterThan(stuck + 10), 20_000)
  await reader.query('commit')
  await newer.says('Keyturn is ready')
  expect(newer.out()).toContain('Database migrated (2 migrations).')
  expect(newer.out()).toContain('9003-notes.after.sql waits: An older server of this database is running.')
  servers.push(newer)
  const before = count()
  await vi.waitFor(() => expect(count()).toBeGreaterThan(before + 30), 30_000)
  servers.shift()
  older.send('SIGTERM')
  expect(await older.ended).toBe(0)
  await newer.says('Database migrated (1 deferred migrations).')
  isOver = true
  await Promise.all(adding)
  expect(answers.filter(({ status }) => status !== 201)).toEqual([])
  // The lock timeout of a migration, plus slack for a busy machine.
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(4_000)
  const left = `select from information_schema.columns where table_name = 'cars' and column_name = 'note'`
  expect(await testServer.query(left)).toEqual([])

  const again = startServerProcess(settings())
  expect(await again.ended).toBe(1)
  expect(again.err()).toContain('this version does not know the migration 9003-notes.after.sql')

  // A server that was disconnected during a migration finds out when it reconnects.
  await testServer.query(`insert into migrations (name) values ('9009-most.after.sql')`)
  await testServer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'keyturn-jobs' and datname = current_database()`,
  )
  expect(await newer.ended).toBe(1)
  expect(newer.err()).toContain('this version does not know the migration 9009-most.after.sql')
})

// R-everywhere-54
test('runs a migration without a kind only after all older servers have ended', async () => {
  const testServer = await startTestServer()
  const { pool, close } = openDatabase({ connectionString: testServer.ownerUrl })
  onTestFinished(close)
  const folder = stepsWith({ '9001-notes.sql': 'create table notes (note text)' })
  const older = await connectClient(testServer.databaseUrl)
  // The lock of a server that does not publish its migrations.
  await older.query('select pg_advisory_lock_shared(7165013, 1)')
  await expect(migrate(pool, folder, 300)).rejects.toThrow(
    /^An older server of this database is running: end them first, 9001-notes\.sql cannot run while they do\.$/,
  )
  const done = migrate(pool, folder)
  await wait(700)
  await older.query('select pg_advisory_unlock_shared(7165013, 1)')
  expect((await done).ran).toEqual(['9001-notes.sql'])
})

// R-everywhere-54
test('creates an index once, without a deadlock, when two newer servers start concurrently', async () => {
  const testServer = await startTestServer()
  const { pool, close } = openDatabase({ connectionString: testServer.ownerUrl })
  onTestFinished(close)
  const step = '9001-index.before.sql'
  const folder = stepsWith({ [step]: 'create index concurrently cars_by_color on cars (color)' })
  const done = await Promise.all([migrate(pool, folder), migrate(pool, folder)])
  expect(done.flatMap(({ ran }) => ran)).toEqual([step])
})

test('times out when creating an index during an open transaction, and succeeds after that has ended', async () => {
  const testServer = await startTestServer()
  const [forgotten, client] = [
    await connectClient(testServer.ownerUrl),
    await connectClient(testServer.ownerUrl),
  ]
  await forgotten.query('begin; lock table cars in row exclusive mode')
  const index = parseConcurrentIndex('create index concurrently cars_by_color on cars (color)')
  if (!index) throw new Error('no index')
  await expect(createIndex(client, index, 200)).rejects.toMatchObject({ code: '55P03' })
  await forgotten.query('commit')
  await createIndex(client, index, 10_000)
  expect(
    await testServer.query(`select indisvalid from pg_index where indexrelid = 'cars_by_color'::regclass`),
  ).toEqual([{ indisvalid: true }])
  expect((await client.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }])
})

// R-everywhere-54
test('starts on a database with unknown migrations when they are compatible', async () => {
  const testServer = await startTestServer()
  await testServer.query(`insert into migrations (name) values ('9001-notes.before.sql')`)
  const server = startServerProcess(minimalSettings(testServer.databaseUrl))
  await server.says('Keyturn is ready')
})

/** Copies this version, adds these migrations and returns the path of its `main.ts`. */
function aVersionWith(steps: Record<string, string>): string {
  const folder = createTestFolder()
  const kept = readdirSync(root).filter((name) => !['server', '.git', 'data'].includes(name))
  for (const name of kept) symlinkSync(join(root, name), join(folder, name))
  const isLeftOut = (path: string) => /\/node_modules(\/|$)|\.test\.ts$/.test(path.slice(root.length))
  cpSync(join(root, 'server'), join(folder, 'server'), {
    recursive: true,
    filter: (path) => !isLeftOut(path),
  })
  symlinkSync(join(root, 'server/node_modules'), join(folder, 'server/node_modules'))
  for (const [name, text] of Object.entries(steps))
    writeFileSync(join(folder, 'server/platform/database/migrations', name), text)
  return join(folder, 'server/main.ts')
}

function stepsWith(steps: Record<string, string>): URL {
  const folder = createTestFolder()
  cpSync(join(root, 'server/platform/database/migrations'), folder, { recursive: true })
  for (const [name, text] of Object.entries(steps)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}
