import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run, say } from '../run.mjs'

/**
 * Runs vitest with the given Node. Returns the number of tests that passed, failed and were
 * skipped, and one line for each failure.
 */
export async function runTests(args, { node = process.execPath, env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-report-'))
  const report = join(folder, 'tests.json')
  try {
    const { code, output, seconds } = await run(
      node,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...args,
        '--reporter=json',
        `--outputFile=${report}`,
      ],
      { env, everyFewSeconds: () => process.stdout.write('.') },
    )
    if (!existsSync(report)) throw new Error(`vitest ended with code ${code}\n${output.slice(-2000)}`)
    const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const failures = testResults.flatMap(failuresOf)
    return { passed: numPassedTests, failed: failures.length, skipped: numPendingTests, seconds, failures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failuresOf({ name, status, message, assertionResults }) {
  // A file that failed to load has no failed tests.
  if (status === 'failed' && assertionResults.length === 0) return [`${name}: ${message}`]
  return assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => `${test.fullName}: ${test.failureMessages.join(' ').slice(0, 400)}`)
}

/**
 * Runs the tests of each version, prints one row for each, and fails the process unless all passed.
 */
export async function compareVersions(title, names, runVersion) {
  const rows = []
  for (const name of names) {
    const row = await runVersion(name).catch((error) => ({
      ...nothing,
      label: name,
      failures: [error.message],
    }))
    for (const failure of row.failures) say(`\n${row.label}: ${failure}`)
    rows.push(row)
  }
  const print = (cells) => say(cells.map((cell) => String(cell).padStart(16)).join(''))
  print([title, 'passed', 'failed', 'skipped', 'seconds'])
  for (const { label, passed, failed, skipped, seconds } of rows)
    print([label, passed, failed, skipped, seconds.toFixed(0)])
  if (rows.some(({ passed, failed }) => passed === 0 || failed > 0)) process.exitCode = 1
}

const nothing = { passed: 0, failed: 1, skipped: 0, seconds: 0 }
