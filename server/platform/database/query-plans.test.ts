import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fillDatabase } from '../../../bench/scale/fill-database.ts'
import {
  loadPreparedQueries,
  recordStatements,
  supportsGenericPlans,
} from '../../../tests/support/database/database.ts'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { accountTasks } from '../../modules/accounts/tasks.ts'
import { dealPictureUse } from '../../modules/agreements/signed-photos.ts'
import { carPictureUse, deleteOldUnknownVins } from '../../modules/cars/repository.ts'
import { countUnread, listNotifications } from '../../modules/notifications/repository.ts'
import { tradeTasks } from '../../modules/trades/expire-offers.ts'
import { tradePictureUse } from '../../modules/trades/repository.ts'
import { createRetentionRules, saleTasks } from '../../tasks.ts'
import { runDueJobs } from '../jobs/jobs.ts'
import { retentionTasks } from '../retention/remove-old-rows.ts'
import { documentTasks } from '../storage/documents.ts'
import { pictureTasks } from '../storage/sweep-pictures.ts'
import { type Db, transaction } from './open-database.ts'
import { preparedQueryTexts } from './prepare-query.ts'

const server = await startTestServer()
await fillDatabase(server.ownerUrl, 5_000)
const ofAnyValues = test.skipIf(!(await supportsGenericPlans(server)))

/**
 * Tables that grow only when an operator adds rows, or with each new key; and reports, which fill
 * too few pages here for an index.
 */
const smallTables = [
  'message_reports',
  'dealers',
  'dealer_areas',
  'seal_certificates',
  'log_keys',
  'outgoing_stops',
  'pg_database',
  'administrators',
  'administrator_recovery_codes',
  'administrator_code_steps',
]

/**
 * The planner expects 100 devices, and that each of 50 wholesalers saw many of all trades: it scans
 * the few rows here, but uses an index at ten times as many.
 */
const fewHere = ['insert-pushes', 'export-contactDataYouSaw']

/** Indexes of pending rows only, which stay small. */
const queues = [
  'admin_sessions_to_expire',
  'deliveries_parked',
  'mails_unsent',
  'one_open_claim_per_person_and_car',
  'trades_untold_ends',
  'wholesalers_newest',
]

const isQuestion = /^\s*(select|insert|update|delete|with)/i

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Node[]
}

/**
 * Returns the tables and indexes that a plan reads completely. Under a Limit, an index scan
 * without a filter does not count.
 */
function readsAll(node: Node, isStopped = false): string[] {
  const stopped = isStopped || node['Node Type'] === 'Limit'
  const below = (node.Plans ?? []).flatMap((plan) => readsAll(plan, stopped))
  const table = node['Relation Name'] ?? ''
  const index = node['Index Name'] ?? ''
  if (node['Node Type'] === 'Seq Scan' && !smallTables.includes(table)) return [`all of ${table}`, ...below]
  const isWholeIndex = index !== '' && node['Index Cond'] === undefined && !queues.includes(index)
  if (isWholeIndex && !(stopped && node.Filter === undefined)) return [`all of ${index}`, ...below]
  return below
}

const allOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(allOf)]

async function planOf(statement: string, values?: unknown[]): Promise<Node> {
  const how = `explain (${values ? '' : 'generic_plan, '}costs off, format json)`
  const [row] = await server.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(`${how} ${statement}`, values)
  if (!row) throw new Error('There is no plan')
  return row['QUERY PLAN'][0].Plan
}

// R-everywhere-6
ofAnyValues('reads no growing table completely in any prepared query', async () => {
  await loadPreparedQueries()
  expect(preparedQueryTexts.size).toBeGreaterThan(200)
  const whole: string[] = []
  // Other test files in this worker prepare queries on their own tables.
  for (const [name, textOf] of preparedQueryTexts)
    if (!fewHere.includes(name) && !name.startsWith('test-'))
      for (const read of readsAll(await planOf(textOf(server.deps.db)))) whole.push(`${name}: ${read}`)
  expect(whole).toEqual([])
})

async function cleanModules(db: Db): Promise<void> {
  await deleteOldUnknownVins(db)
}

test('does not scan whole growing tables in background jobs', async () => {
  const { deps } = server
  const tasks = {
    ...accountTasks(deps, { cleanAlso: cleanModules }),
    ...pictureTasks(deps, [carPictureUse, tradePictureUse, dealPictureUse]),
    ...tradeTasks(deps),
    ...saleTasks(deps),
    ...retentionTasks(deps, createRetentionRules()),
    ...documentTasks(deps),
  }
  const { statements } = await recordStatements(async () => {
    await runDueJobs(deps, tasks)
    await tasks['settle-holds']?.run({}, { attempts: 1, stopping: new AbortController().signal })
  })
  // A slow run may send reminders, and reads all of the few devices (see `fewHere`). A batch of
  // notifications to remove is a large part of those here, so older planners read them all.
  const isOfFewHere = /^(insert into "pushes"|delete from "notification(s|_reads)" where \S+ = any\()/
  const isAsked = (text: string) => isQuestion.test(text) && !isOfFewHere.test(text)
  const asked = new Map(
    statements.filter(({ text }) => isAsked(text)).map(({ text, values }) => [text, values]),
  )
  expect(asked.size).toBeGreaterThan(20)
  const whole: string[] = []
  for (const [text, values] of asked)
    for (const read of readsAll(await planOf(text, values))) whole.push(`${read}: ${text}`)
  expect(whole).toEqual([])
})

ofAnyValues(
  'filters out no rows for a page of wholesalers’ notifications, whose index has no personal ones',
  async () => {
    await loadPreparedQueries()
    const text = preparedQueryTexts.get('list-notifications-wholesaler')?.(server.deps.db) ?? ''
    const nodes = allOf(await planOf(text)).filter((node) => node['Relation Name'] === 'notifications')
    expect(nodes.map((node) => [node['Index Name'], node.Filter])).toEqual([
      ['notifications_of_market', undefined],
    ])
  },
)

test('plans each wholesaler page’s queries once for any number of notifications', async () => {
  const userId = 'w'.repeat(24)
  const names = ['count-unread-wholesaler', 'list-notifications-wholesaler']
  const plans = await transaction(server.deps, async (tx) => {
    // PostgreSQL plans each of the first five executions separately, to compare costs.
    for (let i = 0; i < 7; i++) {
      await countUnread.wholesaler(tx, { userId })
      await listNotifications.wholesaler(tx, { userId, at: 'infinity', id: '', limit: 51 })
    }
    const { rows } = await tx.execute<{ name: string; once: boolean }>(
      sql`select name, generic_plans > 0 as once from pg_prepared_statements where name in ${names} order by name`,
    )
    return rows
  })
  expect(plans).toEqual(names.map((name) => ({ name, once: true })))
})
