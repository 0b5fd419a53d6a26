import { describeOldRules } from '../../modules/agreements/paperwork/old-rules.ts'
// @module-tag full

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createTestFolder,
  minimalSettings,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { findUnknownSettings, listStartupWarnings } from './startup-warnings.ts'

const testServer = await startTestServer()

test.each([
  ['DATABASE_ULR', 'Unknown setting DATABASE_ULR. Did you mean DATABASE_URL?'],
  ['PUBLIC_URI', 'Unknown setting PUBLIC_URI. Did you mean PUBLIC_URL?'],
  ['SMPT_URL', 'Unknown setting SMPT_URL. Did you mean SMTP_URL?'],
  ['SESSION_TTL', 'Unknown setting SESSION_TTL.'],
  ['BACKUP_SCHEDULE', 'Unknown setting BACKUP_SCHEDULE.'],
])('names the setting %s', (name, line) => {
  expect(findUnknownSettings(['PATH', name, 'DATABASE_URL'])).toEqual([line])
})

test('does not warn about variables of other programs', () => {
  const others =
    'PATH HOME HOSTNAME MAIL LANG PGHOST NODE_OPTIONS NODE_VERSION SHELL LOGNAME SESSION_MANAGER ' +
    'npm_lifecycle_event INIT_CWD INVOCATION_ID AWS_REGION'
  expect(findUnknownSettings(others.split(' '))).toEqual([])
})

test('warns when SMTP_URL is missing in production', async () => {
  const lines = (more: object) =>
    listStartupWarnings({ ...testServer.deps.config, databaseUrl: null, ...more }, [], testServer.deps.pool)
  expect(await lines({ production: true, smtpUrl: null })).toEqual([
    expect.stringMatching(/^SMTP_URL is not set: /),
  ])
  expect(await lines({ production: true, smtpUrl: 'smtps://mail.example' })).toEqual([])
  expect(await lines({ production: false, smtpUrl: null })).toEqual([])
})

test('warns when several hosts have no synchronous standby', async () => {
  const databaseUrl = 'postgres://keyturn@one.example,two.example/keyturn'
  const config = { ...testServer.deps.config, databaseUrl, dataDir: createTestFolder() }
  expect(await listStartupWarnings(config, [], testServer.deps.pool)).toEqual([
    expect.stringContaining('has no synchronous standby'),
  ])
})

test('warns when a second server uses another photo folder', async () => {
  await testServer.query('delete from server_keys')
  const settings = minimalSettings(testServer.databaseUrl)
  const begin = async (DATA_DIR: string) => {
    const server = startServerProcess({ ...settings, DATA_DIR })
    await server.says('Keyturn is ready')
    return server
  }
  const complaint = 'Other servers of this database do not use the photo folder'
  const servers = [
    await begin(settings.DATA_DIR),
    await begin(createTestFolder()),
    await begin(settings.DATA_DIR),
  ]
  expect(servers.map((server) => server.out().includes(complaint))).toEqual([false, true, false])
  for (const server of servers) server.send('SIGTERM')
  await Promise.all(servers.map(({ ended }) => ended))
  expect((await begin(createTestFolder())).out()).not.toContain(complaint)
})

// R-deals-112
test('logs one line that counts the rules of law that are older than a year', async () => {
  const settings = minimalSettings(testServer.databaseUrl)
  const server = startServerProcess(settings)
  await server.says('Keyturn is ready')
  const log = readFileSync(join(settings.DATA_DIR, 'keyturn.log'), 'utf8')
  const line = describeOldRules(new Date())
  expect(log.split(`"msg":"${line ?? 'Older than a year'}`).length - 1).toBe(line === null ? 0 : 1)
})
