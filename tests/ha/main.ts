import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger } from '../chaos/ledger.ts'
import { type Environment, type Outcome, startWorkload } from '../chaos/setup.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Fault, faults, setSynchronous } from './faults.ts'
import { startSite } from './servers.ts'

/** The most seconds without an acknowledged change, and the most lost sales, in synchronous mode. */
const maxGapSeconds = 25
const sellersAtOnce = 4
const quietMs = 5_000
/** Long enough for a failover, and for the sales that follow it. */
const observedMs = 40_000

type Row = Outcome & { name: string; isSynchronous: boolean; gapSeconds: number; lostChanges: number }

const [binDir = '', only = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'keyturn-ha-'))
chmodSync(folder, 0o755)
const rows: Row[] = []
const cluster = await startCluster(folder, binDir)
process.once('exit', () => cluster.stop())
try {
  for (const [i, fault] of faults.filter(({ name }) => name.includes(only)).entries())
    rows.push(await tryFault(cluster, fault, `ha_${i}`))
} finally {
  cluster.stop()
  await wait(500)
  if (!process.env.HA_KEEP) rmSync(folder, { recursive: true, force: true })
}
console.log(formatTable(rows))
const missed = rows.flatMap(findMissedTargets)
for (const line of missed) console.log(line)
process.exit(missed.length > 0 ? 1 : 0)

/** Sells cars on a database of its own, causes the fault and compares responses with the database. */
async function tryFault(cluster: Cluster, fault: Fault, database: string): Promise<Row> {
  await setSynchronous(cluster, fault.isSynchronous)
  await cluster.waitUntilComplete()
  const site = await startSite(cluster, folder, database)
  try {
    const workload = await startWorkload(site.environment, site.baseUrl, sellersAtOnce)
    await wait(quietMs)
    workload.ledger.measureGap()
    const mend = await fault.cause(cluster)
    await wait(observedMs)
    await mend()
    await cluster.waitUntilComplete()
    const outcome = await workload.finish()
    const gapSeconds = workload.ledger.longestGapMs() / 1000
    const lostChanges = await countLostChanges(site.environment, workload.ledger)
    const { name, isSynchronous } = fault
    console.log(`${name}: ${gapSeconds.toFixed(1)} s without writes`)
    return { ...outcome, name, isSynchronous, gapSeconds, lostChanges }
  } finally {
    await site.close()
  }
}

/** Counts acknowledged changes without a stored response, which commits together with its change. */
async function countLostChanges({ database }: Environment, { acknowledged }: Ledger): Promise<number> {
  // Responses to uploads and to requests of dealers are not stored.
  const keys = acknowledged.flatMap(({ key, body, headers }) =>
    Buffer.isBuffer(body) || headers ? [] : [key],
  )
  const { rows } = await database.pool.query<{ stored: number }>(
    'select count(*)::int as stored from idempotency_keys where key = any($1)',
    [keys],
  )
  return keys.length - (rows[0]?.stored ?? 0)
}

function findMissedTargets({ name, isSynchronous, gapSeconds, acknowledged, ...row }: Row): string[] {
  const { lostChanges, lost, halfDone, doubled, outOfOrder, twoWinners, evidence, changedResponses } = row
  const counts = { lostChanges, lost, halfDone, doubled, outOfOrder, twoWinners, evidence, changedResponses }
  return [
    ...(acknowledged === 0 ? [`${name}: nothing was sold`] : []),
    ...(gapSeconds > maxGapSeconds ? [`${name}: more than ${maxGapSeconds} s without writes`] : []),
    // Asynchronous mode loses what no standby has: the table shows it, and it is no fault of the run.
    ...Object.entries(isSynchronous ? counts : {}).flatMap(([what, n]) =>
      n > 0 ? [`${name}: ${n} ${what}`] : [],
    ),
    ...(isSynchronous
      ? [...row.rejected, ...row.withoutResponse].slice(0, 3).map((line) => `${name}: ${line}`)
      : []),
  ]
}

function formatTable(rows: readonly Row[]): string {
  const columns: Record<string, (row: Row) => string | number> = {
    'without writes': ({ gapSeconds }) => `${gapSeconds.toFixed(1)} s`,
    acknowledged: ({ acknowledged }) => acknowledged,
    repeated: ({ unanswered }) => unanswered,
    'lost changes': ({ lostChanges }) => lostChanges,
    'lost sales': ({ lost }) => lost,
    'half-done': ({ halfDone }) => halfDone,
    doubled: ({ doubled }) => doubled,
    'two winners': ({ twoWinners }) => twoWinners,
    evidence: ({ evidence }) => evidence,
  }
  const lines = rows.map((row) => [row.name, ...Object.values(columns).map((cell) => cell(row))])
  return [['fault', ...Object.keys(columns)], ...lines]
    .map(
      ([first, ...rest]) => String(first).padEnd(30) + rest.map((cell) => String(cell).padStart(16)).join(''),
    )
    .join('\n')
}
