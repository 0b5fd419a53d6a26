import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../../server/integrations/embedded-postgres/start-embedded-postgres.ts'
import { type Case, emptyResult, type Result } from './case.ts'
import { connectionsUsedUp } from './cases/connections-used-up.ts'
import { flakyDealer } from './cases/flaky-dealer.ts'
import { frozenServer } from './cases/frozen-server.ts'
import { fullDatabase } from './cases/full-database.ts'
import { fullDisk } from './cases/full-disk.ts'
import { fullLog } from './cases/full-log.ts'
import { garbage } from './cases/garbage.ts'
import { hangingMailServer } from './cases/hanging-mail-server.ts'
import { killedBoth, killedDatabase } from './cases/killed-database.ts'
import { killedInUpload } from './cases/killed-in-upload.ts'
import { killedServer } from './cases/killed-server.ts'
import { lostResponses } from './cases/lost-responses.ts'
import { objectStoreDown } from './cases/object-store-down.ts'
import { replacedDatabase } from './cases/replaced-database.ts'
import { silentDatabase } from './cases/silent-database.ts'
import { slowDatabase } from './cases/slow-database.ts'
import { steppingClock } from './cases/stepping-clock.ts'
import { stoppedServer } from './cases/stopped-server.ts'
import { twoVersions } from './cases/two-versions.ts'
import { unreliableMailServer } from './cases/unreliable-mail-server.ts'
import { createEnvironment } from './setup.ts'

const cases: readonly Case[] = [
  killedServer,
  killedDatabase,
  killedBoth,
  stoppedServer,
  frozenServer,
  killedInUpload,
  lostResponses,
  silentDatabase,
  slowDatabase,
  connectionsUsedUp,
  replacedDatabase,
  steppingClock,
  fullDisk,
  fullDatabase,
  fullLog,
  objectStoreDown,
  hangingMailServer,
  unreliableMailServer,
  flakyDealer,
  garbage,
]

const columns: Record<string, (result: Result) => number | string> = {
  rounds: ({ rounds }) => rounds,
  acknowledged: ({ acknowledged }) => acknowledged,
  unanswered: ({ unanswered }) => unanswered,
  lost: ({ lost }) => lost,
  'half-done': ({ halfDone }) => halfDone,
  doubled: ({ doubled }) => doubled,
  order: ({ outOfOrder }) => outOfOrder,
  'two winners': ({ twoWinners }) => twoWinners,
  rejected: ({ rejected }) => rejected.length,
  'no response': ({ withoutResponse }) => withoutResponse.length,
  evidence: ({ evidence }) => evidence,
  'changed replay': ({ changedResponses }) => changedResponses,
  'max gap s': ({ recoveryMs }) => (recoveryMs / 1000).toFixed(1),
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '4' },
    // Entry file of an earlier version's server.
    before: { type: 'string' },
    seconds: { type: 'string', default: '300' },
  },
})
const upgrade = values.before ? [twoVersions(values.before)] : []
const chosen = [...cases, ...upgrade].filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`No fault is called "${values.only}"`)

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
const cluster = await startEmbeddedPostgres({ dataDir })
const results: [string, Result][] = []
try {
  for (const [i, { name, run }] of chosen.entries()) {
    const environment = await createEnvironment(cluster.connectionString, `faults_${i}`)
    results.push([name, await withTimeout(run(environment, Number(values.rounds)))])
    await environment.close().catch(() => {})
  }
} finally {
  await cluster.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

console.log(formatTable(results))
const faults = results.flatMap(([name, result]) => findFaults(result).map((fault) => `${name}: ${fault}`))
for (const fault of faults) console.log(fault)
process.exit(faults.length > 0 ? 1 : 0)

/** Runs a case with a timeout. A crash or timeout is a fault, and the other cases still run. */
async function withTimeout(running: Promise<Result>): Promise<Result> {
  const ending = new AbortController()
  const late = wait(Number(values.seconds) * 1000, null, { signal: ending.signal }).catch(() => null)
  try {
    return (
      (await Promise.race([running, late])) ?? {
        ...emptyResult,
        violations: [`took over ${values.seconds} s`],
      }
    )
  } catch (error) {
    return { ...emptyResult, violations: [String(error)] }
  } finally {
    ending.abort()
  }
}

/** All counts of faults must be zero. */
function findFaults(result: Result): string[] {
  const { acknowledged, rejected, withoutResponse, violations } = result
  const { lost, halfDone, doubled, outOfOrder, twoWinners, evidence, changedResponses } = result
  const mustBeNone = { lost, halfDone, doubled, outOfOrder, twoWinners, evidence, changedResponses }
  const counted = Object.entries(mustBeNone).filter(([, n]) => n > 0)
  return [
    ...(acknowledged === 0 ? ['nothing was acknowledged'] : []),
    ...counted.map(([name, n]) => `${n} ${name}`),
    ...rejected.slice(0, 5),
    ...withoutResponse.slice(0, 5).map((change) => `no response: ${change}`),
    ...violations,
  ]
}

function formatTable(rows: readonly [string, Result][]): string {
  const lines = rows.map(([name, result]) => [name, ...Object.values(columns).map((cell) => cell(result))])
  return [['fault', ...Object.keys(columns)], ...lines]
    .map(
      ([first, ...rest]) => String(first).padEnd(20) + rest.map((cell) => String(cell).padStart(13)).join(''),
    )
    .join('\n')
}
