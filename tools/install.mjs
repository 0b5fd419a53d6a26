import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

const stamp = join(root, 'node_modules', '.installed-from')

/**
 * Installs what a start needs, about half of all packages, unless node_modules has it already. With settings that need
 * an optional package (`peerDependencies` of the server), or where everything was installed before, installs everything.
 */
export function installForStart(env = process.env) {
  const needsOptional = Boolean(env.S3_BUCKET || env.OTEL_EXPORTER_OTLP_ENDPOINT)
  return installIfNeeded(needsOptional || installed().scope === 'everything' ? 'everything' : 'start')
}

/** Installs everything, with what tests, checks, benches and screenshots need. */
export const installEverything = () => installIfNeeded('everything')

async function installIfNeeded(scope) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  const before = installed()
  if (before.lock === wanted && (before.scope === scope || before.scope === 'everything')) return
  if (!isThereAlready(lock, scope)) await install(scope)
  try {
    writeFileSync(stamp, `${wanted} ${scope}`)
  } catch {
    // node_modules is not writable for us, so the next start checks again.
  }
}

/** Which lock file node_modules was last brought up to date with, and how far. */
function installed() {
  const [lock, scope] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  return { lock, scope }
}

async function install(scope) {
  say('Installing packages (about a minute)')
  // Not `npm ci`, which insists that the lock file lists the binaries of every platform; one made where only some can
  // be fetched does not. Without saving, the lock file still decides and stays unchanged.
  // No install scripts are run: the few packages that have one work without it.
  const args = [
    'install',
    '--no-save',
    // Decided here, whatever NODE_ENV says.
    scope === 'start' ? '--omit=dev' : '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const { code, output, seconds } = await npm(args)
  if (code !== 0) {
    say(output)
    say('The packages could not be installed: what npm says is above.')
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

/** npm keeps a list of what it installed: after an `npm install` by hand there is nothing to do. */
function isThereAlready(lock, scope) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages
  return Object.entries(JSON.parse(lock.toString()).packages)
    .filter(([path, { dev }]) => path.includes('node_modules/') && !(dev && scope === 'start'))
    .every(([path, { version, optional, devOptional, link }]) =>
      path in installed ? link || installed[path].version === version : optional || devOptional,
    )
}
