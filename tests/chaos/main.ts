import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../../server/integrations/embedded-postgres/open-embedded.ts'
import { type Case, nothingFound, type Result } from './case.ts'
import { awayObjectStore } from './cases/away-object-store.ts'
import { fullHouse } from './cases/connections-used-up.ts'
import { flakyDealer } from './cases/flaky-dealer.ts'
import { frozenServer } from './cases/frozen-server.ts'
import { fullDatabase } from './cases/full-database.ts'
import { fullDisk } from './cases/full-disk.ts'
import { fullLog } from './cases/full-log.ts'
import { garbage } from './cases/garbage.ts'
import { killedBoth, killedDatabase } from './cases/killed-database.ts'
import { killedInUpload } from './cases/killed-in-upload.ts'
import { killedServer } from './cases/killed-server.ts'
import { lostAnswers } from './cases/lost-answers.ts'
import { moodyMailServer } from './cases/moody-mail-server.ts'
import { muteMailServer } from './cases/mute-mail-server.ts'
import { replacedDatabase } from './cases/replaced-database.ts'
import { silentDatabase } from './cases/silent-database.ts'
import { slowDatabase } from './cases/slow-database.ts'
import { steppingClock } from './cases/stepping-clock.ts'
import { stoppedServer } from './cases/stopped-server.ts'
import { twoVersions } from './cases/two-versions.ts'
import { openGround } from './setup.ts'

const cases: readonly Case[] = [
  killedServer,
  killedDatabase,
  killedBoth,
  stoppedServer,
  frozenServer,
  killedInUpload,
  lostAnswers,
  silentDatabase,
  slowDatabase,
  fullHouse,
  replacedDatabase,
  steppingClock,
  fullDisk,
  fullDatabase,
  fullLog,
  awayObjectStore,
  muteMailServer,
  moodyMailServer,
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
  refused: ({ refused }) => refused.length,
  unknown: ({ unknown }) => unknown.length,
  evidence: ({ evidence }) => evidence,
  'unlike first': ({ unlikeFirst }) => unlikeFirst,
  'silence s': ({ recoveryMs }) => (recoveryMs / 1000).toFixed(1),
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
const both = values.before ? [twoVersions(values.before)] : []
const chosen = [...cases, ...both].filter(({ name }) => name.includes(values.only))
if (chosen.length === 0) throw new Error(`No fault is called "${values.only}"`)

const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-faults-'))
const cluster = await openEmbedded({ dataDir })
const results: [string, Result][] = []
try {
  for (const [i, { name, run }] of chosen.entries()) {
    const ground = await openGround(cluster.connectionString, `faults_${i}`)
    results.push([name, await inTime(run(ground, Number(values.rounds)))])
    await ground.close().catch(() => {})
  }
} finally {
  await cluster.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

console.log(tableOf(results))
const faults = results.flatMap(([name, result]) => faultsOf(result).map((fault) => `${name}: ${fault}`))
for (const fault of faults) console.log(fault)
process.exit(faults.length > 0 ? 1 : 0)

/** Runs a case with a timeout. A crash or timeout is a fault, and the other cases still run. */
async function inTime(running: Promise<Result>): Promise<Result> {
  const ending = new AbortController()
  const late = wait(Number(values.seconds) * 1000, null, { signal: ending.signal }).catch(() => null)
  try {
    return (
      (await Promise.race([running, late])) ?? { ...nothingFound, broken: [`took over ${values.seconds} s`] }
    )
  } catch (error) {
    return { ...nothingFound, broken: [String(error)] }
  } finally {
    ending.abort()
  }
}

/** Everything but the times must be zero. */
function faultsOf(result: Result): string[] {
  const { acknowledged, refused, unknown, broken } = result
  const { lost, halfDone, doubled, outOfOrder, twoWinners, evidence, unlikeFirst } = result
  const mustBeNone = { lost, halfDone, doubled, outOfOrder, twoWinners, evidence, unlikeFirst }
  const counted = Object.entries(mustBeNone).filter(([, n]) => n > 0)
  return [
    ...(acknowledged === 0 ? ['nothing was acknowledged'] : []),
    ...counted.map(([what, n]) => `${n} ${what}`),
    ...refused.slice(0, 5),
    ...unknown.slice(0, 5).map((what) => `never answered: ${what}`),
    ...broken,
  ]
}

function tableOf(rows: readonly [string, Result][]): string {
  const lines = rows.map(([name, result]) => [name, ...Object.values(columns).map((cell) => cell(result))])
  return [['fault', ...Object.keys(columns)], ...lines]
    .map(
      ([first, ...rest]) => String(first).padEnd(20) + rest.map((cell) => String(cell).padStart(13)).join(''),
    )
    .join('\n')
}
