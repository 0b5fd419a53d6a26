import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Debian and its derivatives install PostgreSQL here, one folder per major version. */
const installed = '/usr/lib/postgresql'
/** PostgreSQL does not run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Returns the programs of the newest PostgreSQL that the distribution has installed, or null. */
export function distributionPostgres() {
  const branches = existsSync(installed) ? readdirSync(installed) : []
  const [newest] = branches
    .filter((branch) => existsSync(join(installed, branch, 'bin/postgres')))
    .sort((one, other) => Number(other) - Number(one))
  return newest ? join(installed, newest, 'bin') : null
}

/** Starts a PostgreSQL for tests on a temporary folder, without syncing to disk. */
export async function startPostgres(bin) {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-postgresql-'))
  if (unprivileged.uid) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const data = join(folder, 'data')
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    initialize(bin, data)
    const { port, stop } = await serve(bin, data)
    return {
      url: `postgresql://keyturn@127.0.0.1:${port}/postgres`,
      version: versionOf(bin),
      stop: () => stop().finally(removeFolder),
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

function initialize(bin, data) {
  const locale = ['--encoding=UTF8', '--locale=C', '--username=keyturn', '--auth=trust', '--no-sync']
  const { status } = spawnSync(join(bin, 'initdb'), ['-D', data, ...locale], quiet)
  if (status !== 0) throw new Error(`${join(bin, 'initdb')} failed`)
}

async function serve(bin, data) {
  const port = await freePort()
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
    'jit=off',
    'timezone=UTC',
    'unix_socket_directories=',
    'log_min_messages=panic',
  ]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(join(bin, 'postgres'), args, quiet)
  let hasEnded = false
  const ended = once(child, 'exit').then(() => {
    hasEnded = true
  })
  while (!isReady(data)) {
    if (hasEnded) throw new Error('PostgreSQL did not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const kill = () => child.kill('SIGINT')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
  }
  return { port, stop }
}

const quiet = { stdio: ['ignore', 'ignore', 'inherit'], ...unprivileged }

/** Returns the minor version, such as 18.4. */
function versionOf(bin) {
  const { stdout } = spawnSync(join(bin, 'postgres'), ['--version'], { ...unprivileged, encoding: 'utf8' })
  return /\d+\.\d+/.exec(stdout)?.[0] ?? stdout.trim()
}

/** PostgreSQL writes its status into the eighth line. */
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
