import './node-version.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChromium } from './chromium.mjs'
import { installEverything } from './install.mjs'
import { root, run, say } from './run.mjs'
import { findSecrets, undeclaredIn, withoutSecrets } from './test-runner/logs.mjs'
import { distributionPostgres, startPostgres } from './test-runner/postgres-server.mjs'

// `npm test` leaves out tests tagged `full`: slow tests, long races, and all but one size and color
// scheme of each view. `npm run test:full` runs everything; commands such as `npm run test:fast`
// run one project. `--postgres /usr/lib/postgresql/15/bin` replaces the embedded PostgreSQL. File
// names select tests: `npm run test:http -- server/platform/database/`.
const suites = {
  pure: ['--project=pure'],
  http: ['--project=http'],
  races: ['--project=http', 'races.test.ts'],
  e2e: [],
}
/** Tests that also run on the distribution's PostgreSQL: the database and a complete sale. */
const onDistribution = ['server/platform/database/', 'server/modules/deals/complete-deal.test.ts']
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, only: { type: 'string' }, postgres: { type: 'string' } },
})
if (options.only !== undefined && !(options.only in suites)) {
  say(`There is no suite "${options.only}": ${Object.keys(suites).join(', ')}.`)
  process.exit(1)
}

const reports = mkdtempSync(join(tmpdir(), 'keyturn-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

const sum = { passed: 0, failed: 0, skipped: 0 }
const runsAll = options.only === undefined
const isFull = Boolean(options.full)
if (runsAll) say(`Takes about ${isFull ? '45 minutes' : '17 minutes'} on two idle cores.`)
await installEverything()
const postgres = options.postgres === undefined ? null : await startPostgres(options.postgres).catch(exitWith)
if (postgres) say(`The tests run on PostgreSQL ${postgres.version}`)
if (runsAll) {
  // Tests that wait leave a core idle for the checks and the build. The end-to-end tests use both
  // cores: running them at the same time would save little and slow them down.
  const [built] = await Promise.all([checksAndBuild(), tests('tests')])
  await browserTests(built)
  if (isFull) await distributionTests()
  checkLogs()
  if (isFull) await unseenErrors()
} else if (options.only === 'e2e') await browserTests(await build())
else await tests(options.only, [...suites[options.only], ...files])
await postgres?.stop()

if (options.only !== 'pure' && options.only !== 'e2e' && process.getuid?.() !== 0)
  say('Skipped: two tests of the embedded database that only root can run')
if (runsAll && isFull && !distributionPostgres())
  say("Skipped: tests on the distribution's PostgreSQL, which is not installed (apt-get install postgresql)")
for (const proxy of ['nginx', 'haproxy', 'pgbouncer'])
  if (
    options.only !== 'pure' &&
    options.only !== 'e2e' &&
    spawnSync(proxy, [proxy === 'pgbouncer' ? '-V' : '-v']).status !== 0
  )
    say(`Skipped: the tests behind ${proxy}, which is not installed`)
if (sum.skipped > 0) say(`${sum.skipped} skipped${isFull ? '' : ', most of them for npm run test:full'}`)
say(`${sum.passed} passed, ${sum.failed} failed`)
process.exitCode = sum.failed > 0 ? 1 : 0

function exitWith({ message }) {
  say(message)
  process.exit(1)
}

async function checksAndBuild() {
  // Built first, because tests/cluster/operations-docs.test.ts needs it.
  const built = await build()
  await step('types', 'tsc', ['--noEmit'])
  await step('lint', 'biome', ['check', '--error-on-warnings', '.'])
  await step('unused code', 'knip', ['--no-progress'])
  return built
}

function build() {
  return step('build', process.execPath, ['tools/build.mjs'])
}

function tests(name, args = [], server = postgres) {
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
        ...(runsAll && { BUILDS_MEANWHILE: '1' }),
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

/** Fails when the logs of the servers contain a password, code, cookie or token of the run. */
function checkLogs() {
  const name = 'logs'
  const { files, secrets, found } = findSecrets(reports)
  if (files === 0 || secrets === 0) return fail(name, 'there are no logs or no secrets')
  if (found.length > 0) {
    const lines = found.map((location) => `${location} ${withoutSecrets(reports, location)}`)
    return fail(name, `there are secrets in\n${lines.join('\n')}`)
  }
  const undeclared = undeclaredIn(reports)
  if (undeclared.length > 0) return fail(name, `endpoints do not declare ${undeclared.join(', ')}`)
  sum.passed += 1
  say(`${name.padEnd(18)} ok, none of ${secrets} secrets in ${files} files`)
}

/** Prints declared errors that no test has seen, without failing. */
async function unseenErrors() {
  const { output } = await run(process.execPath, [
    '--import',
    'tsx',
    'tools/test-runner/declared-errors.mjs',
    reports,
  ])
  say(output.trimEnd())
}

async function browserTests(built) {
  const name = 'browser tests'
  if (!built) return fail(name, 'not run, because the build failed')
  let chromium = ''
  try {
    chromium = findChromium(say)
  } catch (error) {
    return fail(name, error.message)
  }
  const passed = await step(
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
        PLAYWRIGHT_JSON_OUTPUT_NAME: report('e2e'),
      },
      count: countBrowserTests,
    },
  )
  if (!passed) for (const page of pagesOfFailedTests()) say(page)
}

/** Returns the page of each failed test, because often only this output is kept. */
function pagesOfFailedTests() {
  const folder = join(root, 'test-results')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('error-context.md'))
    .map((path) => {
      const [, page = ''] = readFileSync(join(folder, path), 'utf8').match(/```yaml\n(.*?)```/s) ?? []
      return `\nThe page of ${dirname(path)}:\n${page}`
    })
}

/** Runs a step and adds up its tests. A step without a count is one test. */
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
  let printed = 0
  return (seconds, output) => {
    const ended = output.match(/[✓✘❯×].*\.(test|spec)\.ts/g)?.length ?? 0
    if (ended < printed + 10) return
    printed = ended
    say(`  ${name}: ${ended} done after ${seconds.toFixed(0)} s`)
  }
}

function tally(code, count) {
  let counted = { passed: 0, failed: 0, skipped: 0 }
  try {
    counted = count()
  } catch {
    // There is no report if the program itself failed.
  }
  const nothing = counted.passed + counted.failed === 0
  if (code !== 0 && counted.failed === 0) return { ...counted, failed: 1 }
  return nothing ? { ...counted, passed: 1 } : counted
}

function fail(name, why) {
  sum.failed += 1
  say(`${name.padEnd(18)} FAILED: ${why}`)
}

/** A file that could not be loaded contains no tests and counts as one failed test. */
function countTests() {
  const results = JSON.parse(readFileSync(report('tests'), 'utf8'))
  const broken = results.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(isFailed),
  )
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + broken.length,
    skipped: results.numPendingTests + results.numTodoTests,
  }
}

function isFailed(result) {
  return result.status === 'failed'
}

function countBrowserTests() {
  const { stats, errors } = JSON.parse(readFileSync(report('e2e'), 'utf8'))
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }
}

function report(name) {
  return join(reports, `${name}.json`)
}
