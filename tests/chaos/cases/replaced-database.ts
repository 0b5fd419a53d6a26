import { setTimeout as wait } from 'node:timers/promises'
import { prepareReplacement, queryOnce } from '../../cluster/replacement.ts'
import { withDatabaseName } from '../../support/database/database.ts'
import { defineCase } from '../case.ts'
import type { Environment } from '../setup.ts'

const replacedMs = 3000

/**
 * A copy with the same people replaces the database for a while. No server may use it
 * (R-everywhere-53).
 */
export const replacedDatabase = defineCase('database replaced', async (context) => {
  const { environment, violations } = context
  const copy = prepareReplacement(
    withDatabaseName(environment.databaseUrl, 'postgres'),
    new URL(environment.databaseUrl).pathname.slice(1),
  )
  context.onCleanup(copy.drop)
  const { server } = await context.open()
  await context.eachRound(async () => {
    await wait(1500)
    await copy.swap(`update jobs set run_at = '2000-01-01'`)
    const before = await digestTables(environment)
    const ready = await server.measure('/health/ready', 10_000)
    if (ready.status !== 503) violations.push(`ready responded ${ready.status} with another database`)
    await wait(replacedMs)
    if ((await digestTables(environment)) !== before) violations.push('the other database was changed')
    await copy.swap()
  })
  await wait(1000)
})

/** Returns digests of the tables that any work on the database would change. */
async function digestTables({ databaseUrl }: Environment): Promise<string> {
  const digestOf = (table: string) =>
    `(select md5(string_agg(t::text, ' ' order by t::text)) from ${table} t)`
  const tables = ['users', 'cars', 'deals', 'deal_events', 'jobs', 'idempotency_keys', 'sessions']
  const [row] = await queryOnce<{ digest: string }>(
    databaseUrl,
    `select concat_ws(' ', ${tables.map(digestOf).join(', ')}) as digest`,
  )
  return row?.digest ?? ''
}
