import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

const stamp = join(root, 'node_modules', '.installed-from')

/**
 * Installs the packages of a start, about half of all, unless node_modules has them. Installs
 * everything when settings need an optional package (`peerDependencies` of the server), or when
 * everything was installed before.
 */
export function installForStart(env = process.env) {
  const needsOptional = Boolean(env.S3_BUCKET || env.OTEL_EXPORTER_OTLP_ENDPOINT)
  return installIfNeeded(needsOptional || installed().scope === 'everything' ? 'everything' : 'start')
}

/** Installs everything, including packages for tests, checks, benchmarks and screenshots. */
export const installEverything = () => installIfNeeded('everything')

async function installIfNeeded(scope) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const digest = createHash('sha256').update(lock).digest('hex')
  const before = installed()
  if (before.lock === digest && (before.scope === scope || before.scope === 'everything')) return
  if (!isInstalled(lock, scope)) await install(scope)
  try {
    writeFileSync(stamp, `${digest} ${scope}`)
  } catch {
    // If node_modules is read-only, the next start checks again.
  }
}

/** Returns the lock file's digest and the scope of the last installation. */
function installed() {
  const [lock, scope] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  return { lock, scope }
}

async function install(scope) {
  say('Installing packages (about a minute)')
  // `npm ci` would require the binaries of every platform in the lock file. With --no-save, the
  // lock file still decides and stays unchanged. Install scripts are off: the few packages that
  // have one work without it.
  const args = [
    'install',
    '--no-save',
    // Set explicitly, so that NODE_ENV does not matter.
    scope === 'start' ? '--omit=dev' : '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { code, output, seconds } = await npm(args)
  if (code !== 0) {
    say(output)
    say('The packages could not be installed; the output of npm is above.')
    process.exit(1)
  }
  say(`Packages installed in ${seconds.toFixed(0)} s`)
}

function npm(args) {
  const everyFewSeconds = (seconds) => say(`  still installing, ${seconds.toFixed(0)} s`)
  const script = process.env.npm_execpath
  if (script?.endsWith('npm-cli.js')) return run(process.execPath, [script, ...args], { everyFewSeconds })
  return run('npm', args, { everyFewSeconds })
}

/**
 * Whether npm's list of installed packages matches the lock file, as after a manual `npm install`.
 */
function isInstalled(lock, scope) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages
  return Object.entries(JSON.parse(lock.toString()).packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && !(dev && scope === 'start'))
    .every(([path, { version, optional, devOptional, link }]) =>
      path in installed ? link || installed[path].version === version : optional || devOptional,
    )
}
