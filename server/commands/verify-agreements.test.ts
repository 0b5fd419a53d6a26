// @module-tag full

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readEvidenceLog } from '@keyturn/contract/agreements/evidence-log.ts'
import { expect, test } from 'vitest'
import { aSaleAt } from '../../tests/support/sales/deals.ts'
import {
  createTestFolder,
  runCommand,
  serverAddress,
  startServerProcess,
} from '../../tests/support/server-process.ts'
import { startTestServer } from '../../tests/support/test-server.ts'
import { aTrade } from '../../tests/support/trades.ts'
import { runDueJobs } from '../platform/jobs/jobs.ts'
import { saleTasks } from '../tasks.ts'

// Runs the command in a separate process, as an operator does.

const fine = 'Everything is as it was written.'

const verify = (settings: Record<string, string>, ...heads: string[]) =>
  runCommand('verify-agreements', settings, ...heads)

// R-deals-80
test('verifies an external PostgreSQL as its owner and as the application role, changes nothing and names each fault', async () => {
  const testServer = await startTestServer()
  const { buyer, seller } = await aSaleAt(testServer, 'passed')
  const trade = await aTrade(buyer)
  await runDueJobs(testServer.deps, saleTasks(testServer.deps))
  const DATA_DIR = testServer.deps.config.dataDir
  const files = () => readdirSync(DATA_DIR, { recursive: true, encoding: 'utf8' }).sort()
  const before = files()
  const owner = { DATABASE_URL: testServer.ownerUrl, DATA_DIR }
  const serving = { DATABASE_URL: testServer.databaseUrl, DATA_DIR }
  const head = join(createTestFolder(), 'head.json')
  writeFileSync(head, (await testServer.browser().send(readEvidenceLog)).body)
  for (const settings of [owner, serving, { ...serving, DATABASE_OWNER_URL: testServer.ownerUrl }]) {
    const told = await verify(settings, head)
    expect(told, told.out + told.err).toMatchObject({ code: 0, err: '' })
    expect(told.out).toContain('signatures: 2 rows')
    expect(told.out).toContain(fine)
  }
  await testServer.query(`alter table signatures disable trigger user; update signatures set ip = '192.0.2.1' where party = 'BUYER';
    alter table signatures enable trigger user`)
  for (const [table, whose] of [
    ['account_events', `user_id = '${seller.id}' and event = 'verified'`],
    ['trade_events', `trade_id = '${trade._id}'`],
  ])
    await testServer.query(`alter table ${table} disable trigger user; delete from ${table} where ${whose};
      alter table ${table} enable trigger user`)
  const [{ id } = { id: '' }] = await testServer.query<{ id: string }>(
    `select id from signatures where party = 'BUYER'`,
  )
  const told = await verify(serving, head)
  expect(told.code).toBe(1)
  expect(told.out).toContain(`[WRONG] signatures ${id}\n`)
  expect(told.out).toContain(`[WRONG] account_events of ${seller.id}\n`)
  expect(told.out).toContain(`[WRONG] trade_events of ${trade._id}\n`)
  expect(told.out).not.toContain(fine)
  await testServer.query('revoke select on signatures from keyturn_app')
  expect(await verify(serving)).toMatchObject({
    code: 2,
    err: '42501: permission denied for table signatures\n',
  })
  expect(files()).toEqual(before)
})

// R-deals-80
test('verifies the embedded database while the server runs and after it has stopped', async () => {
  const DATA_DIR = createTestFolder()
  const nowhere = await verify({ DATA_DIR })
  expect(nowhere).toEqual({ code: 2, out: '', err: `There is no database in ${DATA_DIR}.\n` })
  const server = startServerProcess({ DATA_DIR, PORT: '0', DEMO: '1' })
  await server.says('Keyturn is ready')
  const head = join(createTestFolder(), 'head.json')
  writeFileSync(head, await (await fetch(`${serverAddress(server)}/.well-known/keyturn-log`)).text())
  const running = await verify({ DATA_DIR }, head)
  expect(running, running.err).toMatchObject({ code: 0, err: '' })
  expect(running.out).toMatch(/^signatures: [1-9]\d* rows$/m)
  expect(running.out).toContain(fine)
  // The server is unaffected.
  expect((await fetch(`${serverAddress(server)}/health/ready`)).status).toBe(200)
  server.send('SIGTERM')
  expect(await server.ended).toBe(0)
  const stopped = await verify({ DATA_DIR }, head)
  expect(stopped, stopped.err).toMatchObject({ code: 0, err: '' })
  expect(stopped.out).toContain(fine)
  // No PostgreSQL is left running.
  expect(existsSync(join(DATA_DIR, 'postgres/postmaster.pid'))).toBe(false)
})
