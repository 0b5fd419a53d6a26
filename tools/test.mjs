import './node-version.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from './chromium.mjs'
import { installEverything } from './install.mjs'
import { root, run, say } from './run.mjs'
import { lookForSecrets, undeclaredIn, withoutSecrets } from './test-runner/logs.mjs'
import { distributionPostgres, startPostgres } from './test-runner/postgres-server.mjs'

// `npm test` leaves out tests tagged `full`: slow tests, long races, and every size and color
// scheme of every view. `npm run test:full` runs everything; `npm run test:fast` and the like run
// one project. `--postgres /usr/lib/postgresql/15/bin` replaces the embedded PostgreSQL. File names
// select tests: `npm run test:http -- server/platform/database/`.
const lanes = {
  pure: ['--project=pure'],
  http: ['--project=http'],
  races: ['--project=http', 'races.test.ts'],
  journeys: [],
}
/** Also run on the distribution's PostgreSQL: the database tests and a whole sale. */
const onDistribution = ['server/platform/database/', 'server/modules/deals/completing.test.ts']
const { values: asked, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, only: { type: 'string' }, postgres: { type: 'string' } },
})
if (asked.only !== undefined && !(asked.only in lanes)) {
  say(`There is no lane "${asked.only}": ${Object.keys(lanes).join(', ')}.`)
  process.exit(1)
}

const reports = mkdtempSync(join(tmpdir(), 'keyturn-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

const sum = { passed: 0, failed: 0, skipped: 0 }
const isWhole = asked.only === undefined
const isFull = Boolean(asked.full)
if (isWhole) say(`Takes about ${isFull ? '22 minutes' : '8 minutes'} on two idle cores.`)
await installEverything()
const given = asked.postgres === undefined ? null : await startPostgres(asked.postgres).catch(exitWith)
if (given) say(`The tests run on PostgreSQL ${given.version}`)
if (isWhole) {
  // Tests that wait leave a core idle for the checks and the build. The end-to-end tests use both
  // cores: running them in parallel saves little and slows them down.
  const [built] = await Promise.all([checksAndBuild(), tests('tests')])
  await journeys(built)
  if (isFull) await distributionTests()
  logs()
  if (isFull) await unseenRefusals()
} else if (asked.only === 'journeys') await journeys(await build())
else await tests(asked.only, [...lanes[asked.only], ...files])
await given?.stop()

if (asked.only !== 'pure' && asked.only !== 'journeys' && process.getuid?.() !== 0)
  say('Left out: two tests of the embedded database that only root can run')
if (isWhole && isFull && !distributionPostgres())
  say("Left out: tests on the distribution's PostgreSQL, which is not installed (apt-get install postgresql)")
for (const proxy of ['nginx', 'haproxy', 'pgbouncer'])
  if (
    asked.only !== 'pure' &&
    asked.only !== 'journeys' &&
    spawnSync(proxy, [proxy === 'pgbouncer' ? '-V' : '-v']).status !== 0
  )
    say(`Left out: the tests behind ${proxy}, which is not installed`)
// The last line always has the same form.
if (sum.skipped > 0) say(`${sum.skipped} skipped${isFull ? '' : ', most of them for npm run test:full'}`)
say(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0

function exitWith({ message }) {
  say(message)
  process.exit(1)
}

async function checksAndBuild() {
  // Built first, because the test of the operators' page needs it.
  const built = await build()
  await step('types', 'tsc', ['--noEmit'])
  await step('lint', 'biome', ['check', '--error-on-warnings', '.'])
  await step('unused code', 'knip', ['--no-progress'])
  return built
}

function build() {
  return step('build', process.execPath, ['tools/build.mjs'])
}

function tests(name, args = [], server = given) {
  return step(
    name,
    'vitest',
    [
      'run',
      ...args,
      ...(isFull || files.length > 0 ? [] : ['--tagsFilter=!full']),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report('tests')}`,
    ],
    {
      env: {
        TEST_LOGS: reports,
        ...(isFull && { TEST_FULL: '1' }),
        ...(isWhole && { BUILDS_MEANWHILE: '1' }),
        ...(server && { TEST_DATABASE_URL: server.url }),
      },
      count: countTests,
    },
  )
}

async function distributionTests() {
  const bin = distributionPostgres()
  if (!bin) return
  const server = await startPostgres(bin)
  await tests(`PostgreSQL ${server.version}`, ['--project', 'http', ...onDistribution], server)
  await server.stop()
}

/** The logs of the tests' and journeys' servers must not contain any password, code, cookie or token of the run. */
function logs() {
  const name = 'logs'
  const { files, secrets, found } = lookForSecrets(reports)
  if (files === 0 || secrets === 0) return refuse(name, 'nothing was logged, or nothing was secret')
  if (found.length > 0) {
    const lines = found.map((place) => `${place} ${withoutSecrets(reports, place)}`)
    return refuse(name, `secrets stand in\n${lines.join('\n')}`)
  }
  const undeclared = undeclaredIn(reports)
  if (undeclared.length > 0) return refuse(name, `calls do not declare ${undeclared.join(', ')}`)
  sum.passed += 1
  say(`${name.padEnd(18)} ok, ${secrets} secrets stand in none of ${files} files`)
}

/** Not a failure, but each is a declared error that no test has verified. */
async function unseenRefusals() {
  const { output } = await run(process.execPath, [
    '--import',
    'tsx',
    'tools/test-runner/declared-errors.mjs',
    reports,
  ])
  say(output.trimEnd())
}

async function journeys(built) {
  const name = 'browser journeys'
  if (!built) return refuse(name, 'not walked, because the build failed')
  let chromium = ''
  try {
    chromium = findChromium(say)
  } catch (error) {
    return refuse(name, error.message)
  }
  const walked = await step(
    name,
    'playwright',
    [
      'test',
      '--config=tests/e2e/playwright.config.ts',
      ...(isFull ? [] : ['--grep-invert=@full']),
      '--reporter=list,json',
    ],
    {
      env: {
        TEST_LOGS: reports,
        ...(isFull && { TEST_FULL: '1' }),
        CHROMIUM: chromium,
        PLAYWRIGHT_JSON_OUTPUT_NAME: report('journeys'),
      },
      count: countJourneys,
    },
  )
  if (!walked) for (const page of pagesWhereJourneysEnded()) say(page)
}

/** Prints the page of each failed end-to-end test, because often only this output survives. */
function pagesWhereJourneysEnded() {
  const folder = join(root, 'test-results')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('error-context.md'))
    .map((path) => {
      const [, page = ''] = readFileSync(join(folder, path), 'utf8').match(/```yaml\n(.*?)```/s) ?? []
      return `\nWhere ${dirname(path)} ended:\n${page}`
    })
}

/** Runs one step and adds up its tests; a step without a count is one test itself. */
async function step(
  name,
  program,
  args,
  { env = {}, count = () => ({ passed: 0, failed: 0, skipped: 0 }) } = {},
) {
  const path = program.startsWith('/') ? program : join(root, 'node_modules', '.bin', program)
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const { code, output, seconds } = await run(path, args, {
    env: { ...colors, ...env },
    everyFewSeconds: showProgress(name),
  })
  const counted = tally(code, count)
  for (const key of Object.keys(sum)) sum[key] += counted[key]
  const numbers =
    counted.passed + counted.failed > 1 ? ` (${counted.passed} passed, ${counted.failed} failed)` : ''
  say(`${name.padEnd(18)} ${code === 0 ? 'ok' : 'FAILED'} ${seconds.toFixed(1)} s${numbers}`)
  if (code !== 0) say(output)
  return code === 0
}

/** Prints at intervals how many test files have ended. */
function showProgress(name) {
  let told = 0
  return (seconds, output) => {
    const ended = output.match(/[✓✘❯×].*\.(test|spec)\.ts/g)?.length ?? 0
    if (ended < told + 10) return
    told = ended
    say(`  ${name}: ${ended} done after ${seconds.toFixed(0)} s`)
  }
}

function tally(code, count) {
  let counted = { passed: 0, failed: 0, skipped: 0 }
  try {
    counted = count()
  } catch {
    // No report, because the program itself failed.
  }
  const nothing = counted.passed + counted.failed === 0
  if (code !== 0 && counted.failed === 0) return { ...counted, failed: 1 }
  return nothing ? { ...counted, passed: 1 } : counted
}

function refuse(name, why) {
  sum.failed += 1
  say(`${name.padEnd(18)} FAILED: ${why}`)
}

/** A file that could not even be loaded has no tests, so it counts as one failed test. */
function countTests() {
  const told = JSON.parse(readFileSync(report('tests'), 'utf8'))
  const broken = told.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  )
  return {
    passed: told.numPassedTests,
    failed: told.numFailedTests + broken.length,
    skipped: told.numPendingTests + told.numTodoTests,
  }
}

function isFailed(result) {
  return result.status === 'failed'
}

function countJourneys() {
  const { stats, errors } = JSON.parse(readFileSync(report('journeys'), 'utf8'))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}

function report(name) {
  return join(reports, `${name}.json`)
}
