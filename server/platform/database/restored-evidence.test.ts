import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readPersonState } from '@keyturn/contract/accounts/suspensions.ts'
import { readEvidenceLog, readLogCheckpoint } from '@keyturn/contract/agreements/evidence-log.ts'
import { expect, test } from 'vitest'
import {
  servingRoleName,
  withDatabaseName,
  withServingRole,
} from '../../../tests/support/database/database.ts'
import { anAdministrator } from '../../../tests/support/people.ts'
import { aSaleAt, readProgressOf } from '../../../tests/support/sales/deals.ts'
import { startTestServer, type TestServer } from '../../../tests/support/test-server.ts'
import { aTrade } from '../../../tests/support/trades.ts'
import { verifyDatabase } from '../../modules/agreements/verification/verify-database.ts'
import { saleTasks } from '../../tasks.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { findServingRole, grantServingRole } from './application-role.ts'
import { type Database, openDatabase } from './open-database.ts'

// A backup holds every row as text, like `pg_dump`, and is restored into new tables. If `pg_dump`
// supports this server, the tests use it too.

const [testServer, restored] = [await startTestServer(), await startTestServer()]
const sale = await aSaleAt(testServer, 'completed')
await aTrade(sale.buyer)
await runDueJobs(testServer.deps, saleTasks(testServer.deps))
await (await anAdministrator(testServer)).ask(readPersonState, { params: { userId: sale.buyer.id } })
await testServer.query('insert into passkey_signatures select id, deal_id from signatures limit 1')

/** Runs the verification as the serving role and returns the lines that report errors. */
async function wrongIn({ deps }: { deps: Pick<Database, 'db'> }, ...kept: string[]): Promise<string[]> {
  const lines: string[] = []
  await verifyDatabase(deps.db, testServer.deps.pictures, kept, (line) => lines.push(line))
  return lines.filter((line) => line.startsWith('[WRONG]'))
}

const keptHead = async ({ browser }: TestServer) => (await browser().send(readEvidenceLog)).body

// R-safe-7, R-deals-80
test('verifies and protects evidence that was restored from a dump', async () => {
  await restore(await dump(testServer), restored)
  expect(await wrongIn(restored, await keptHead(testServer))).toEqual([])
  expect(await dump(restored)).toEqual(await dump(testServer))
  await grantServingRole(restored.owner.pool, servingRoleName)
  expect((await findServingRole(restored.deps.pool)).isGuarded).toBe(true)
  await expect(restored.deps.pool.query('delete from signatures')).rejects.toMatchObject({ code: '42501' })
  // New evidence continues the chains and the log.
  const { fullySigned } = await readProgressOf(await aSaleAt(restored, 'passed'))
  expect(fullySigned).toBe(true)
  expect(await wrongIn(restored, await keptHead(testServer))).toEqual([])
  expect((await readProgressOf(sale)).completed).toBe(true)
})

// R-deals-80
test('reports a missing log head when an older copy replaced a newer one, even if the log has the same size', async () => {
  const older = await dump(testServer)
  const early = await keptHead(testServer)
  await aSaleAt(testServer, 'passed')
  const late = await keptHead(testServer)
  const checkpoint = (await testServer.browser().send(readLogCheckpoint)).body
  expect(await wrongIn(testServer, early, late)).toEqual([])
  await restore(older, restored)
  expect(await wrongIn(restored, early)).toEqual([])
  const { head } = JSON.parse(late) as { head: { size: number } }
  const missing = [`[WRONG] log_heads ${head.size}`, '[WRONG] the log still contains the stored heads']
  expect(await wrongIn(restored, early, late)).toEqual(missing)
  expect(await wrongIn(restored, checkpoint)).toEqual(missing)
  await aSaleAt(restored, 'passed')
  expect(JSON.parse(await keptHead(restored)).head.size).toBe(head.size)
  expect(await wrongIn(restored, early, late)).toEqual(missing)
})

// R-safe-7
test.each([
  'account_events',
  'trade_events',
  'signatures',
  'consents',
  'signer_acts',
  'passkey_signatures',
  'admin_events',
  'deal_events',
  'packages',
  'agreement_pdfs',
  'log_leaves',
  'log_nodes',
  'log_heads',
  'evidence_tallies',
])('fails the verification when a row of %s is missing from a dump', async (table) => {
  const rows = await dump(testServer)
  await restore({ ...rows, [table]: (rows[table] ?? []).slice(1) }, restored)
  expect(await wrongIn(restored)).not.toEqual([])
})

const [server] = await testServer.query<{ version: number }>(
  `select current_setting('server_version_num')::int / 10000 as version`,
)
const { stdout } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' })
const own = Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
/** pg_dump cannot dump a newer server. */
const leftOut =
  own >= (server?.version ?? 0)
    ? ''
    : ` (left out: pg_dump is ${own || 'not here'}, PostgreSQL ${server?.version})`

// R-safe-7, R-deals-80
test.skipIf(leftOut !== '').each(['custom', 'directory', 'tar'])(
  `verifies and protects evidence after pg_dump and pg_restore: %s${leftOut}`,
  async (format) => {
    const file = join(testServer.deps.config.dataDir, `backup-${format}`)
    const name = `restored_${format}`
    const url = withDatabaseName(testServer.ownerUrl, name)
    execFileSync('pg_dump', ['--format', format, '--file', file, testServer.ownerUrl])
    await testServer.query(`create database ${name}`)
    const again = openDatabase({ connectionString: withServingRole(url) })
    const owner = openDatabase({ connectionString: url })
    try {
      execFileSync('pg_restore', ['--exit-on-error', '--dbname', url, file])
      expect(await wrongIn({ deps: again }, await keptHead(testServer))).toEqual([])
      expect((await findServingRole(again.pool)).isGuarded).toBe(true)
      await expect(again.pool.query('delete from signatures')).rejects.toMatchObject({ code: '42501' })
      await expect(owner.pool.query('delete from signatures')).rejects.toThrow()
      await owner.pool.query(
        `alter table signatures disable trigger user; alter table signer_acts disable trigger user;
        alter table passkey_signatures disable trigger user;
        delete from passkey_signatures; delete from signer_acts; delete from signatures`,
      )
      expect(await wrongIn({ deps: again })).not.toEqual([])
    } finally {
      await again.close()
      await owner.close()
      await testServer.query(`drop database ${name} with (force)`)
    }
  },
)

type Dump = Record<string, string[]>

async function dump(from: TestServer): Promise<Dump> {
  const tables = await from.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const rows: Dump = {}
  for (const { name } of tables) {
    const found = await from.query<{ row: string }>(`select one::text as row from ${name} one order by 1`)
    rows[name] = found.map(({ row }) => row)
  }
  return rows
}

/** Loads rows like `pg_restore`: without triggers and with an empty search path. */
async function restore(rows: Dump, into: TestServer): Promise<void> {
  const client = await into.owner.pool.connect()
  try {
    await client.query(`begin; set local session_replication_role = 'replica'; set local search_path = ''`)
    for (const [table, ones] of Object.entries(rows)) {
      const { rows: columns } = await client.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
        [`public.${table}`],
      )
      const names = columns.map(({ name }) => name).join(', ')
      await client.query(`delete from public.${table}`)
      await client.query(
        `insert into public.${table} (${names}) overriding system value
         select ${names} from (select (one::public.${table}).* from unnest($1::text[]) one) as read`,
        [ones],
      )
    }
    await client.query('reset search_path')
    // A dump also sets the sequences of identity columns.
    const { rows: numbered } = await client.query<{ statement: string }>(
      `select format('select setval(%L, coalesce((select max(%I) from %s), 0) + 1)', pg_get_serial_sequence(t, c), c, t) as statement
       from (select attrelid::regclass::text as t, attname::text as c from pg_attribute
         where attidentity <> '' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')) i`,
    )
    for (const { statement } of numbered) await client.query(statement)
    await client.query(`select setval('row_versions', 1000000)`)
    await client.query('commit')
  } finally {
    client.release()
  }
}
