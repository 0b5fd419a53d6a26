// @module-tag full

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getProgress } from '@keyturn/contract/deals/calls.ts'
import pg from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { scraped } from '../../telemetry/scraping.ts'
import { type Answering, openBrowser } from '../browser.ts'
import { asServing, onDatabase } from '../database.ts'
import { aListing, aRequest, confirm, progressOf, type Sale, signAsBuyer, signAsSeller } from '../deals.ts'
import { openHouse } from '../house.ts'
import { aBuyer, aSeller, type Door } from '../people.ts'
import { aFolder, freePort } from '../start.ts'
import { untilBuilt } from './built.ts'
import { blocks, commandsOf, endDaemon, openTerminal } from './commands-of-page.ts'
import { startProxy } from './proxies.ts'
import { expectSharedPhoto, signIn } from './shared-photos.ts'
import { aVisitor } from './visitor.ts'

// What docs/operations.md says is typed as it stands there, but for ports and folders.

const checkout = join(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0
const nobody = 65_534
const walk = 'Two servers, a standby and a proxy on one machine'
const [setUp, backUp, restore, recovery] = ['Set up', 'Back up', 'Restore', 'Point-in-time recovery']
const secrets = 'Secrets and keys'

test('every block of the page is a command that is run here, one that wants the machine itself, or no command', () => {
  expect(blocks.length).toBeGreaterThan(15)
  for (const { how, text } of blocks) {
    expect(['sh', 'sh by-hand', 'ini', 'yaml', 'text'], text).toContain(how)
    if (how === 'sh by-hand') expect(text).toMatch(/systemctl|pack\.mjs/)
  }
  const sections = new Set(blocks.filter(({ how }) => how === 'sh').map(({ section }) => section))
  expect([...sections].sort()).toEqual([backUp, recovery, restore, secrets, setUp, walk].sort())
})

test('a backup is made, put back where nothing is, rehearsed, and may speak again', {
  timeout: 240_000,
}, async () => {
  const house = await openHouse()
  await aListing(house)
  const [shelf, rehearsal] = [aFolder(), join(aFolder(), 'rehearsal')]
  const empty = await anEmptyDatabase()
  const [made, putBack, recovered] = [backUp, restore, recovery].map(commandsOf)
  const here = (text = '') =>
    text
      .replace(
        '/srv/keyturn-backups/keyturn-2026-11-23T03-30-00.000Z',
        join(shelf, readFolder(shelf)[0] ?? ''),
      )
      .replace('/srv/keyturn-backups', shelf)
      .replace('/tmp/rehearsal', rehearsal)
  const source = openTerminal(checkout, {
    DATABASE_URL: house.databaseUrl,
    DATA_DIR: house.deps.config.dataDir,
  })
  const target = openTerminal(checkout, { ...empty, DATA_DIR: join(aFolder(), 'new') })
  onTestFinished(async () => {
    await Promise.all([source.close(), target.close()])
  })
  await source.type(here(made?.[0]?.text))
  expect(readFolder(shelf)).toHaveLength(1)
  const told = []
  for (const { text } of putBack ?? []) told.push(await target.type(here(text)))
  expect(told).toHaveLength(3)
  expect(told[0]).toContain('Everything is as it was written.')
  expect(readFolder(rehearsal)).not.toEqual([])
  const [, afterwards = { text: '' }] = recovered ?? []
  expect(await target.type(afterwards.text)).toContain('Everything is as it was written.')
})

const binaries = readFolder('/usr/lib/postgresql')
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .findLast((folder) => readFolder(folder).includes('pg_basebackup'))
const isInstalled =
  binaries !== undefined &&
  ['haproxy', 'nginx', 'openssl', 'curl'].every((name) => !spawnSync(name, ['-v']).error) &&
  canBeNobody()

// With Debian's packages of PostgreSQL and HAProxy.
describe.skipIf(!isInstalled)('with a PostgreSQL of one’s own', () => {
  beforeAll(untilBuilt, 240_000)

  test('it is set up for a database with two users', { timeout: 240_000 }, async () => {
    const home = aFolder()
    const [port, one, two, metricsOne, metricsTwo] = await freePorts(5)
    const path = pathOf(home)
    const cluster = openTerminal(home, { HOME: home, PATH: path })
    onTestFinished(async () => {
      await cluster.close()
      endDaemon(join(home, 'one/postmaster.pid'))
    })
    await cluster.type(`initdb --pgdata=one --username=postgres --auth=trust
      printf "port = ${port}\nunix_socket_directories = ''\n" >>one/postgresql.conf
      pg_ctl --pgdata=one --log=log --wait start
      ln -s ${join(checkout, 'dist')} dist; mkdir -m 700 data backups`)
    becomeServiceUser(home)
    const here = (text: string) =>
      text
        .replaceAll('/srv/keyturn-backups', join(home, 'backups'))
        .replaceAll('/srv/keyturn', home)
        .replaceAll('/var/lib/keyturn', join(home, 'data'))
        .replaceAll('/etc/keyturn.env', join(home, 'keyturn.env'))
        .replaceAll('METRICS_PORT=1$port', `METRICS_PORT=$((port == ${one} ? ${metricsOne} : ${metricsTwo}))`)
        .replaceAll('3001', String(one))
        .replaceAll('3002', String(two))
    const terminal = openTerminal(home, {
      PATH: path,
      ADMINISTRATOR_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      DATABASE_HOST: `127.0.0.1:${port}`,
      KEYTURN_DATA: join(home, 'data'),
      LOG_TO: 'file',
    })
    onTestFinished(() => terminal.close())
    const [roles = '', settings = '', servers = ''] = commandsOf(setUp).map(({ text }) => here(text))
    await terminal.type(roles)
    await terminal.type(settings)
    expect(statSync(join(home, 'keyturn.env')).mode & 0o777).toBe(0o600)
    // As the unit's installation does.
    if (isRoot) chownSync(join(home, 'keyturn.env'), nobody, nobody)
    const told = await terminal.type(servers)
    expect(told.match(/"status":"ok"/g)).toHaveLength(2)
    expect(told).not.toContain('do not use the photo folder')
    for (const of of [metricsOne, metricsTwo])
      expect(await scraped(`http://127.0.0.1:${of}/metrics`)).toContain('keyturn_database_answers 1')

    const { tls } = await startProxy('nginx', aFolder(), [one, two], onTestFinished)
    const door = aDoor(tls, `postgres://postgres@127.0.0.1:${port}/keyturn`)
    await expectSharedPhoto(await signIn(tls, await aSeller(door)), door.query, [one, two])

    const [, byService] = commandsOf(backUp)
    expect(await terminal.type(here(byService?.text ?? ''))).toMatch(/[1-9]\d* files of photos/)
    const [made = ''] = readFolder(join(home, 'backups'))
    expect(statSync(join(home, 'backups', made)).uid).toBe(isRoot ? nobody : process.getuid?.())
    await terminal.type('export $(grep ^DATABASE_OWNER_URL keyturn.env)')
    for (const { text } of commandsOf(secrets)) expect(await terminal.type(text)).toMatch(/^DELETE \d+$/m)
  })

  test('a car is sold while its database dies', { timeout: 240_000 }, async () => {
    const home = aFolder()
    const ports: Record<string, number> = {}
    for (const port of ['5441', '5442', '3001', '3002', '8080', '8443']) ports[port] = await freePort()
    const here = (text = '') => text.replace(/\b(?:544[12]|300[12]|8080|8443)\b/g, (port) => `${ports[port]}`)
    const terminal = openTerminal(checkout, { HOME: home, PATH: pathOf(home) })
    onTestFinished(async () => {
      await terminal.close()
      for (const file of ['one/postmaster.pid', 'two/postmaster.pid', 'haproxy.pid'])
        endDaemon(join(home, 'keyturn-trial', file))
    })
    // It names the servers' ports.
    const proxyFile = 'operations/haproxy.cfg'
    const ownFile = join(home, 'bin/haproxy.cfg')
    writeFileSync(ownFile, here(readFileSync(join(checkout, proxyFile), 'utf8')))
    const [primary, standby, servers, proxy, kill, promote, ...after] = commandsOf(walk).map(({ text }) =>
      here(text).replace(proxyFile, ownFile),
    )

    await terminal.type(primary ?? '')
    expect(await terminal.type(standby ?? '')).toMatch(/two +\| streaming \| sync/)
    const [copy] = commandsOf(recovery).map(({ text }) =>
      text.replace('/srv/keyturn-base', join(home, 'base')),
    )
    await terminal.type(`mkdir ${join(home, 'base')}\nPGPORT=${ports[5441]} ${copy}`)
    await terminal.type(servers ?? '')
    await terminal.type(proxy ?? '')

    const door = aDoor(ports[8443] ?? 0, `postgres://keyturn@127.0.0.1:${ports[5441]}/keyturn`)
    const seller = await aSeller(door, { firstName: 'Selma', lastName: 'Sanders' })
    const buyer = await aBuyer(door, { firstName: 'Basil', lastName: 'Byrd' })
    const visitor = await signIn(ports[8443] ?? 0, seller)
    await expectSharedPhoto(visitor, door.query, [ports[3001] ?? 0, ports[3002] ?? 0])
    const sale: Sale = { ...(await aListing(door, {}, seller)), buyer }
    await aRequest(sale, buyer, 9000)
    await confirm(sale)

    await terminal.type(kill ?? '')
    await expect
      .poll(async () => (await buyer.send(getProgress, { params: sale.at })).body, { timeout: 20_000 })
      .toContain('"errorCode":"Unavailable"')
    await terminal.type(promote ?? '')
    await signAsSeller(sale)
    await signAsBuyer(sale)
    expect(await progressOf(sale)).toMatchObject({ sellerSigned: true, buyerSigned: true })

    const told = []
    for (const text of after) told.push(await terminal.type(text))
    expect(told.join('')).toContain('Everything is as it was written.')
    expect(readFolder(home).sort()).toEqual(['base', 'bin'])
  })
})

async function freePorts(count: number) {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports as [number, number, number, number, number]
}

async function anEmptyDatabase() {
  const [server, name] = [inject('database'), `restored_${randomBytes(6).toString('hex')}`]
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`)
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  })
  const owner = onDatabase(server, name)
  return { DATABASE_URL: asServing(owner), DATABASE_OWNER_URL: owner }
}

/** PostgreSQL does not run as root, and tests may: these three are then typed by root and run as nobody. */
function pathOf(home: string): string {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  chmodSync(home, 0o755)
  if (isRoot)
    for (const name of ['initdb', 'pg_ctl', 'pg_basebackup'])
      writeFileSync(join(bin, name), asNobody(`${binaries}/${name}`), { mode: 0o755 })
  return `${bin}:${binaries}:${process.env.PATH}`
}

/** `node` and files of the service belong to another user than root, as with the unit of `operations/`. */
function becomeServiceUser(home: string): void {
  writeFileSync(join(home, 'bin/runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 })
  if (!isRoot) return
  const asService = `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups`
  for (const [name, program] of [
    ['node', process.execPath],
    ['mkdir', '/bin/mkdir'],
  ])
    writeFileSync(join(home, 'bin', name ?? ''), `#!/bin/sh\nexec ${asService} ${program} "$@"\n`, {
      mode: 0o755,
    })
  for (const folder of ['data', 'backups']) chownSync(join(home, folder), nobody, nobody)
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

/** People who come through the proxy. */
function aDoor(tlsPort: number, connectionString: string): Door {
  return {
    browser() {
      const visitor = aVisitor(tlsPort)
      const answering: Answering = {
        async inject({ method, url, payload, headers }) {
          const got = await visitor.send(method, url, { headers, ...(payload && { body: payload }) })
          return { statusCode: got.status, headers: {}, body: got.text, cookies: [] }
        },
      }
      return openBrowser(answering)
    },
    async query(text, values) {
      const client = new pg.Client({ connectionString })
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
  }
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function canBeNobody(): boolean {
  if (!isRoot) return true
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-nobody-'))
  chownSync(folder, nobody, nobody)
  const { status } = spawnSync('setpriv', [
    `--reuid=${nobody}`,
    '--clear-groups',
    `--regid=${nobody}`,
    'test',
    '-w',
    folder,
  ])
  rmSync(folder, { recursive: true })
  return status === 0
}
