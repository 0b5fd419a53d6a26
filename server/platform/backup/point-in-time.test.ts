// @module-tag full

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { copyCluster } from '../../../tests/cluster/postgres-server.ts'
import { queryOnce } from '../../../tests/cluster/replacement.ts'
import { createBrowserAt } from '../../../tests/support/browser-at.ts'
import { aNewcomer } from '../../../tests/support/people.ts'
import {
  createTestFolder,
  runCommand,
  serverAddress,
  startServerProcess,
} from '../../../tests/support/server-process.ts'
import { clusterPath } from '../../integrations/embedded-postgres/cluster.ts'
import { chownFolder } from '../../integrations/embedded-postgres/run-as.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../integrations/embedded-postgres/start-embedded-postgres.ts'

// Follows the point-in-time recovery of docs/operations.md with the settings given there.

const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
const section = page.slice(page.indexOf('## Point-in-time recovery'))

/** Reads the settings of a block of the page, with the archive path of the test. */
function settingsOf(block: number, archive: string, moment = ''): Record<string, string> {
  const text = [...section.matchAll(/```ini\n([^`]*)```/g)][block]?.[1] ?? ''
  const lines = [...text.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )
  expect(lines.length).toBeGreaterThan(2)
  return Object.fromEntries(
    lines.map(([name, value]) => [
      name,
      name === 'recovery_target_time' ? moment : value.replaceAll('/srv/keyturn-archive', archive),
    ]),
  )
}

// R-everywhere-47
test('restores an archiving PostgreSQL to a point in time with what was acknowledged before it and nothing later', async () => {
  const [first, second, archive] = [createTestFolder(), createTestFolder(), createTestFolder()]
  const primary = await anEmbedded(first, settingsOf(0, archive))
  chownFolder(archive, ownerOf(first))
  const DATA_DIR = createTestFolder()
  const server = startServerProcess({
    DATABASE_URL: primary.connectionString,
    DATA_DIR,
    PORT: '0',
    DEMO: '0',
  })
  await server.says('Keyturn is ready')
  const browser = () => createBrowserAt(() => serverAddress(server))
  const register = async () => (await aNewcomer({ browser, query: async () => [] }, 'SELLER')).email
  const early = await register()
  await copyCluster(clusterPath(first), primary.connectionString, clusterPath(second))
  const before = await register()
  const moment = await ask(primary, 'select clock_timestamp()::text as it')
  const after = await register()
  const file = await ask(primary, 'select pg_walfile_name(pg_switch_wal()) as it')
  const archived = () => ask(primary, 'select last_archived_wal as it from pg_stat_archiver')
  for (const end = performance.now() + 30_000; (await archived()) < file; await wait(50))
    if (performance.now() > end) throw new Error(`${file} is not in the archive`)
  server.send('SIGKILL')
  await server.ended
  await primary.stop()

  writeFileSync(join(clusterPath(second), 'recovery.signal'), '')
  chownFolder(clusterPath(second), ownerOf(first))
  const recovered = await anEmbedded(second, settingsOf(1, archive, moment))
  // PostgreSQL accepts reads before recovery reaches the target.
  const isRecovering = async () => (await ask(recovered, 'select pg_is_in_recovery()::text as it')) === 'true'
  for (const end = performance.now() + 60_000; await isRecovering(); await wait(50))
    if (performance.now() > end) throw new Error('It does not come to the moment')
  expect(await ask(recovered, `select string_agg(email, ' ' order by created_at) as it from users`)).toBe(
    `${early} ${before}`,
  )
  expect(await ask(recovered, `select string_agg(email, ' ') as it from users`)).not.toContain(after)
  const settled = await runCommand(
    'restore',
    { DATABASE_URL: recovered.connectionString, DATA_DIR },
    '--recovered',
  )
  expect(settled, settled.err).toMatchObject({ code: 0, err: '' })
  expect(settled.out).toContain('Everything is as it was written.')
  expect(await ask(recovered, 'select because as it from outgoing_stops where ended_at is null')).toBe(
    'recovered to an earlier moment',
  )
})

async function anEmbedded(dataDir: string, settings: Record<string, string>): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ dataDir, settings })
  onTestFinished(() => embedded.stop())
  return embedded
}

const ownerOf = (dataDir: string) => {
  const { uid, gid } = statSync(clusterPath(dataDir))
  return uid === process.getuid?.() ? null : { uid, gid }
}

async function ask(on: EmbeddedPostgres, query: string): Promise<string> {
  const [row] = await queryOnce<{ it: string }>(on.connectionString, query)
  return row?.it ?? ''
}
