import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

const stamp = join(root, 'node_modules', '.installed-from')

/** Installs what package-lock.json says, unless node_modules has it already. */
export async function installIfNeeded() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!isThereAlready(lock)) await install()
  try {
    writeFileSync(stamp, wanted)
  } catch {
    // node_modules is not writable for us, so the next start checks again.
  }
}

async function install() {
  say('Installing packages (about a minute)')
  // Not `npm ci`, which insists that the lock file lists the binaries of every platform; one made where only some can
  // be fetched does not. Without saving, the lock file still decides and stays unchanged.
  // No install scripts are run: the few packages that have one work without it. Development packages are needed to
  // build, whatever NODE_ENV says.
  const args = [
    'install',
    '--no-save',
    '--include=dev',
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
function isThereAlready(lock) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages
  return Object.entries(JSON.parse(lock.toString()).packages)
    .filter(([path]) => path.includes('node_modules/'))
    .every(([path, { version, optional, devOptional, link }]) =>
      path in installed ? link || installed[path].version === version : optional || devOptional,
    )
}
