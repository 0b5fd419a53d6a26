// @module-tag full

import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { withDatabaseName, withServingRole } from '../support/database/database.ts'
import { aListing } from '../support/sales/deals.ts'
import { createTestFolder, freePort } from '../support/server-process.ts'
import { startTestServer } from '../support/test-server.ts'
import { queryOnce } from './replacement.ts'
import { waitForBuild } from './wait-for-build.ts'

// Runs the commands of docs/operations.md as written, except for ports and folders.

const root = join(import.meta.dirname, '../..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const trialSection = 'Two servers, a standby and a proxy on one machine'
const [setUp, backUp, restore, recovery] = ['Set up', 'Back up', 'Restore', 'Point-in-time recovery']
const secrets = 'Secrets and keys'

/** Every fenced block of the page, in order. */
const blocks = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  .split(/^## /m)
  .flatMap((part) => {
    const [section = ''] = part.split('\n', 1)
    const fenced = [...part.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    return fenced.map(([, language = '', text = '']) => ({ section, language, text }))
  })
const commandsOf = (section: string): string[] =>
  blocks.filter((one) => one.section === section && one.language === 'sh').map(({ text }) => text)

test('covers every block of the page except those that change the machine or are not commands', () => {
  expect(blocks.length).toBeGreaterThan(15)
  for (const { language, text } of blocks) {
    expect(['sh', 'sh by-hand', 'ini', 'yaml', 'text'], text).toContain(language)
    if (language === 'sh by-hand') expect(text).toMatch(/systemctl|pack\.mjs/)
  }
  const sections = new Set(blocks.filter(({ language }) => language === 'sh').map(({ section }) => section))
  expect([...sections].sort()).toEqual([backUp, recovery, restore, secrets, setUp, trialSection].sort())
})

test('makes a backup, restores it into an empty database, rehearses it, and enables outgoing messages', async () => {
  const server = await startTestServer()
  await aListing(server)
  const [backups, rehearsal] = [createTestFolder(), join(createTestFolder(), 'rehearsal')]
  const source = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.deps.config.dataDir }
  const adapt = (text: string) =>
    text
      .replaceAll('/srv/keyturn-backups/keyturn-2026-11-23T03-30-00.000Z', join(backups, '*'))
      .replaceAll('/srv/keyturn-backups', backups)
      .replaceAll('/tmp/rehearsal', rehearsal)
  const [make = ''] = commandsOf(backUp)
  await runShell(adapt(make), root, source)
  expect(readdirSync(backups)).toHaveLength(1)
  const target = { ...(await createEmptyDatabase()), DATA_DIR: join(createTestFolder(), 'new') }
  const [, afterwards = ''] = commandsOf(recovery)
  const output = await runShell(adapt([...commandsOf(restore), afterwards].join('')), root, target)
  expect(output.match(/Everything is as it was written\./g)).toHaveLength(3)
  expect(readdirSync(rehearsal)).not.toEqual([])
})

const installed = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
const binaries = installed
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .findLast((folder) => existsSync(join(folder, 'pg_basebackup')))
const areToolsInstalled = ['haproxy', 'openssl', 'curl'].every((name) => !spawnSync(name, ['-v']).error)

// Uses Debian's packages of PostgreSQL and HAProxy.
describe.skipIf(!binaries || !areToolsInstalled)('with a separate PostgreSQL', () => {
  beforeAll(waitForBuild, 240_000)

  test('sets up PostgreSQL for a database with two users', async () => {
    const home = createTestFolder()
    const [port, one, two] = [await freePort(), await freePort(), await freePort()]
    onTestFinished(() => endDaemon(join(home, 'one/postmaster.pid')))
    const cluster = `initdb --pgdata=one --username=postgres --auth=trust
      printf "port = ${port}\nunix_socket_directories = ''\n" >>one/postgresql.conf
      pg_ctl --pgdata=one --log=log --wait start
      ln -s ${join(root, 'dist')} dist; mkdir -m 700 data backups\n`
    const PATH = preparePath(home)
    // Replaces `runuser`, because there is no other user to switch to.
    writeFileSync(join(home, 'bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 })
    const [, byService = ''] = commandsOf(backUp)
    const page = [...commandsOf(setUp), byService, 'export $(grep ^DATABASE_OWNER_URL keyturn.env)\n']
    const commands = [...page, ...commandsOf(secrets)]
      .join('')
      .replaceAll('/srv/keyturn-backups', join(home, 'backups'))
      .replaceAll('/srv/keyturn', home)
      .replaceAll('/var/lib/keyturn', join(home, 'data'))
      .replaceAll('/etc/keyturn.env', join(home, 'keyturn.env'))
      .replaceAll('METRICS_PORT=1$port', '')
      .replaceAll('3001', String(one))
      .replaceAll('3002', String(two))
    const output = await runShell(cluster + commands, home, {
      PATH,
      ADMINISTRATOR_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      DATABASE_HOST: `127.0.0.1:${port}`,
      KEYTURN_DATA: join(home, 'data'),
      LOG_TO: 'file',
    })
    expect(statSync(join(home, 'keyturn.env')).mode & 0o777).toBe(0o600)
    expect(output.match(/"status":"ok"/g)).toHaveLength(2)
    expect(output).not.toContain('do not use the photo folder')
    expect(readdirSync(join(home, 'backups'))).toHaveLength(1)
    expect(output.match(/^DELETE \d+$/gm)).toHaveLength(
      commandsOf(secrets)
        .join('')
        .match(/delete from/g)?.length ?? 0,
    )
  })

  // fail-over.test.ts covers the effect on requests.
  test('promotes a standby, which the old primary then follows', async () => {
    const home = createTestFolder()
    const ports: Record<string, number> = {}
    for (const port of ['5441', '5442', '3001', '3002', '8080', '8443']) ports[port] = await freePort()
    const adapt = (text: string) =>
      text.replace(/\b(?:544[12]|300[12]|8080|8443)\b/g, (port) => `${ports[port]}`)
    onTestFinished(() => {
      for (const file of ['one/postmaster.pid', 'two/postmaster.pid', 'haproxy.pid'])
        endDaemon(join(home, 'keyturn-trial', file))
    })
    const PATH = preparePath(home)
    // The file names the servers' ports.
    const proxyFile = 'operations/haproxy.cfg'
    const ownFile = join(home, 'bin/haproxy.cfg')
    writeFileSync(ownFile, adapt(readFileSync(join(root, proxyFile), 'utf8')))
    const [copy = ''] = commandsOf(recovery)
    const copied = `mkdir ${join(home, 'base')}
      PGPORT=${ports[5441]} ${copy.replace('/srv/keyturn-base', join(home, 'base'))}`
    const [primary = '', standby = '', ...after] = commandsOf(trialSection)
    const all = adapt([primary, standby, copied, ...after].join('')).replace(proxyFile, ownFile)
    const output = await runShell(all, root, { HOME: home, PATH })
    expect(output).toMatch(/two +\| streaming \| sync/)
    expect(output).toContain('Everything is as it was written.')
    expect(readdirSync(home).sort()).toEqual(['base', 'bin'])
  })
})

/**
 * Runs the text in one shell where every command must succeed. Background processes end with it.
 */
async function runShell(text: string, cwd: string, env: Record<string, string>): Promise<string> {
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${text}`], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its process group includes all background processes.
    detached: true,
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  const closed = once(shell, 'close')
  const [code] = await once(shell, 'exit')
  tryKill(-(shell.pid ?? 0))
  await closed
  expect(code, output).toBe(0)
  return output
}

function endDaemon(file: string): void {
  if (existsSync(file)) tryKill(Number(readFileSync(file, 'utf8').split('\n', 1)[0]))
}

function tryKill(pid: number): void {
  try {
    if (pid !== 0) process.kill(pid, 'SIGKILL')
  } catch {
    // The process has exited.
  }
}

async function createEmptyDatabase() {
  const [server, name] = [inject('database'), `restored_${randomBytes(6).toString('hex')}`]
  await queryOnce(server, `create database ${name}`)
  onTestFinished(async () => void (await queryOnce(server, `drop database ${name} with (force)`)))
  const owner = withDatabaseName(server, name)
  return { DATABASE_URL: withServingRole(owner), DATABASE_OWNER_URL: owner }
}

/**
 * PostgreSQL refuses to run as root, but the tests may run as root. In that case, these three
 * commands run as nobody.
 */
function preparePath(home: string): string {
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
