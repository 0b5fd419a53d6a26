import { setTimeout as wait } from 'node:timers/promises'
import { aReplacement, askOnce } from '../../cluster/replacement.ts'
import { onDatabase } from '../../support/database/database.ts'
import { whileSelling } from '../case.ts'
import type { Ground } from '../setup.ts'

const awayMs = 3000

/**
 * A copy with the same people replaces the database for a while. No server may use it
 * (R-everywhere-53).
 */
export const replacedDatabase = whileSelling('database replaced', async (stage) => {
  const { ground, broken } = stage
  const copy = aReplacement(
    onDatabase(ground.databaseUrl, 'postgres'),
    new URL(ground.databaseUrl).pathname.slice(1),
  )
  stage.atEnd(copy.drop)
  const { server } = await stage.open()
  await stage.eachRound(async () => {
    await wait(1500)
    await copy.swap(`update jobs set run_at = '2000-01-01'`)
    const before = await traceOf(ground)
    const ready = await server.time('/health/ready', 10_000)
    if (ready.status !== 503) broken.push(`ready said ${ready.status} with another database`)
    await wait(awayMs)
    if ((await traceOf(ground)) !== before) broken.push('the other database was changed')
    await copy.swap()
  })
  await wait(1000)
})

/** Any work on the database changes one of these. */
async function traceOf({ databaseUrl }: Ground): Promise<string> {
  const whole = (table: string) => `(select md5(string_agg(t::text, ' ' order by t::text)) from ${table} t)`
  const tables = ['users', 'cars', 'deals', 'deal_events', 'jobs', 'idempotency_keys', 'sessions']
  const [row] = await askOnce<{ it: string }>(
    databaseUrl,
    `select concat_ws(' ', ${tables.map(whole).join(', ')}) as it`,
  )
  return row?.it ?? ''
}
