// @module-tag full

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { asServing, onDatabase } from '../support/database/database.ts'
import { aListing } from '../support/sales/deals.ts'
import { aFolder, freePort } from '../support/start.ts'
import { startTestServer } from '../support/test-server.ts'
import { askOnce } from './replacement.ts'
import { untilBuilt } from './wait-for-build.ts'

// Runs the commands of docs/operations.md as written, except for ports and folders.

const checkout = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const walk = 'Two servers, a standby and a proxy on one machine'
const [setUp, backUp, restore, recovery] = ['Set up', 'Back up', 'Restore', 'Point-in-time recovery']
const secrets = 'Secrets and keys'

/** Every fenced block of the page, in order. */
const blocks = readFileSync(join(checkout, 'docs/operations.md'), 'utf8')
  .split(/^## /m)
  .flatMap((part) => {
    const [section = ''] = part.split('\n', 1)
    const fenced = [...part.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    return fenced.map(([, how = '', text = '']) => ({ section, how, text }))
  })
const commandsOf = (section: string): string[] =>
  blocks.filter((one) => one.section === section && one.how === 'sh').map(({ text }) => text)

test('runs every block of the page, except those that change the machine or are no command', () => {
  expect(blocks.length).toBeGreaterThan(15)
  for (const { how, text } of blocks) {
    expect(['sh', 'sh by-hand', 'ini', 'yaml', 'text'], text).toContain(how)
    if (how === 'sh by-hand') expect(text).toMatch(/systemctl|pack\.mjs/)
  }
  const sections = new Set(blocks.filter(({ how }) => how === 'sh').map(({ section }) => section))
  expect([...sections].sort()).toEqual([backUp, recovery, restore, secrets, setUp, walk].sort())
})

test('makes a backup, restores it where no data is, rehearses it, and enables output again', async () => {
  const house = await startTestServer()
  await aListing(house)
  const [shelf, rehearsal] = [aFolder(), join(aFolder(), 'rehearsal')]
  const source = { DATABASE_URL: house.databaseUrl, DATA_DIR: house.deps.config.dataDir }
  const here = (text: string) =>
    text
      .replaceAll('/srv/keyturn-backups/keyturn-2026-11-23T03-30-00.000Z', join(shelf, '*'))
      .replaceAll('/srv/keyturn-backups', shelf)
      .replaceAll('/tmp/rehearsal', rehearsal)
  const [make = ''] = commandsOf(backUp)
  await typed(here(make), checkout, source)
  expect(readdirSync(shelf)).toHaveLength(1)
  const target = { ...(await anEmptyDatabase()), DATA_DIR: join(aFolder(), 'new') }
  const [, afterwards = ''] = commandsOf(recovery)
  const told = await typed(here([...commandsOf(restore), afterwards].join('')), checkout, target)
  expect(told.match(/Everything is as it was written\./g)).toHaveLength(3)
  expect(readdirSync(rehearsal)).not.toEqual([])
})

const installed = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
const binaries = installed
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .findLast((folder) => existsSync(join(folder, 'pg_basebackup')))
const areThere = ['haproxy', 'openssl', 'curl'].every((name) => !spawnSync(name, ['-v']).error)

// Uses Debian's packages of PostgreSQL and HAProxy.
describe.skipIf(!binaries || !areThere)('with a PostgreSQL of one’s own', () => {
  beforeAll(untilBuilt, 240_000)

  test('sets up PostgreSQL for a database with two users', async () => {
    const home = aFolder()
    const [port, one, two] = [await freePort(), await freePort(), await freePort()]
    onTestFinished(() => endDaemon(join(home, 'one/postmaster.pid')))
    const cluster = `initdb --pgdata=one --username=postgres --auth=trust
      printf "port = ${port}\nunix_socket_directories = ''\n" >>one/postgresql.conf
      pg_ctl --pgdata=one --log=log --wait start
      ln -s ${join(checkout, 'dist')} dist; mkdir -m 700 data backups\n`
    const PATH = pathOf(home)
    // There is no other user to switch to.
    writeFileSync(join(home, 'bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 })
    const [, byService = ''] = commandsOf(backUp)
    const page = [...commandsOf(setUp), byService, 'export $(grep ^DATABASE_OWNER_URL keyturn.env)\n']
    const here = [...page, ...commandsOf(secrets)]
      .join('')
      .replaceAll('/srv/keyturn-backups', join(home, 'backups'))
      .replaceAll('/srv/keyturn', home)
      .replaceAll('/var/lib/keyturn', join(home, 'data'))
      .replaceAll('/etc/keyturn.env', join(home, 'keyturn.env'))
      .replaceAll('METRICS_PORT=1$port', '')
      .replaceAll('3001', String(one))
      .replaceAll('3002', String(two))
    const told = await typed(cluster + here, home, {
      PATH,
      ADMINISTRATOR_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      DATABASE_HOST: `127.0.0.1:${port}`,
      KEYTURN_DATA: join(home, 'data'),
      LOG_TO: 'file',
    })
    expect(statSync(join(home, 'keyturn.env')).mode & 0o777).toBe(0o600)
    expect(told.match(/"status":"ok"/g)).toHaveLength(2)
    expect(told).not.toContain('do not use the photo folder')
    expect(readdirSync(join(home, 'backups'))).toHaveLength(1)
    expect(told.match(/^DELETE \d+$/gm)).toHaveLength(commandsOf(secrets).length)
  })

  // fail-over.test.ts covers the effects on people.
  test('promotes a standby, and the old primary follows it', async () => {
    const home = aFolder()
    const ports: Record<string, number> = {}
    for (const port of ['5441', '5442', '3001', '3002', '8080', '8443']) ports[port] = await freePort()
    const here = (text: string) =>
      text.replace(/\b(?:544[12]|300[12]|8080|8443)\b/g, (port) => `${ports[port]}`)
    onTestFinished(() => {
      for (const file of ['one/postmaster.pid', 'two/postmaster.pid', 'haproxy.pid'])
        endDaemon(join(home, 'keyturn-trial', file))
    })
    const PATH = pathOf(home)
    // The file names the servers' ports.
    const proxyFile = 'operations/haproxy.cfg'
    const ownFile = join(home, 'bin/haproxy.cfg')
    writeFileSync(ownFile, here(readFileSync(join(checkout, proxyFile), 'utf8')))
    const [copy = ''] = commandsOf(recovery)
    const copied = `mkdir ${join(home, 'base')}
      PGPORT=${ports[5441]} ${copy.replace('/srv/keyturn-base', join(home, 'base'))}`
    const [primary = '', standby = '', ...after] = commandsOf(walk)
    const all = here([primary, standby, copied, ...after].join('')).replace(proxyFile, ownFile)
    const told = await typed(all, checkout, { HOME: home, PATH })
    expect(told).toMatch(/two +\| streaming \| sync/)
    expect(told).toContain('Everything is as it was written.')
    expect(readdirSync(home).sort()).toEqual(['base', 'bin'])
  })
})

/**
 * Runs the text in one shell where every command must succeed. Background processes end with it.
 */
async function typed(text: string, cwd: string, env: Record<string, string>): Promise<string> {
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${text}`], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // One process group includes all its children.
    detached: true,
  })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said += part
    })
  const closed = once(shell, 'close')
  const [code] = await once(shell, 'exit')
  killAnyway(-(shell.pid ?? 0))
  await closed
  expect(code, said).toBe(0)
  return said
}

/** Kills a program that became a daemon, by its pid file. */
function endDaemon(file: string): void {
  if (existsSync(file)) killAnyway(Number(readFileSync(file, 'utf8').split('\n', 1)[0]))
}

function killAnyway(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL')
  } catch {
    // The process has exited.
  }
}

async function anEmptyDatabase() {
  const [server, name] = [inject('database'), `restored_${randomBytes(6).toString('hex')}`]
  await askOnce(server, `create database ${name}`)
  onTestFinished(async () => void (await askOnce(server, `drop database ${name} with (force)`)))
  const owner = onDatabase(server, name)
  return { DATABASE_URL: asServing(owner), DATABASE_OWNER_URL: owner }
}

/**
 * PostgreSQL refuses to run as root, and tests may. As root, these three commands run as nobody.
 */
function pathOf(home: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  chmodSync(home, 0o755)
  if (isRoot)
    for (const name of ['initdb', 'pg_ctl', 'pg_basebackup'])
      writeFileSync(join(bin, name), asNobody(`${binaries}/${name}`), { mode: 0o755 })
  return `${bin}:${binaries}:${process.env.PATH}`
}

const asNobody = (program: string) => `#!/bin/sh
for word; do
  case $word in
    --pgdata=*) mkdir -p "\${word#*=}" ;;
    --log=*) touch "\${word#*=}" ;;
    *) continue ;;
  esac
  chown ${nobody}:${nobody} "\${word#*=}" && test ! -d "\${word#*=}" || chmod 700 "\${word#*=}"
done
exec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups ${program} "$@"
`
