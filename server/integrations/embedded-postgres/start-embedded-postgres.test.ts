// @module-tag full

import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryOnce } from '../../../tests/cluster/replacement.ts'
import { runningProcess } from './running-process.ts'
import {
  createSeparateStarts,
  listSupervisorPids,
  postgresOn,
  type SeparateStarts,
  waitUntil,
} from './separate-starts.ts'

const isRoot = process.getuid?.() === 0
const somebody = isRoot ? { uid: 65_534, gid: 65_534 } : {}
const cluster = (dataDir: string) => join(dataDir, 'postgres')

let starts: SeparateStarts
beforeAll(async () => {
  starts = await createSeparateStarts()
})
afterAll(() => starts.close())

test('starts as an ordinary user from a read-only package without its symbolic links', async () => {
  const dataDir = starts.folderFor('ordinary', somebody)
  chmodSync(join(starts.packageFolder, 'native', 'lib'), 0o555)
  const first = await starts.start(dataDir, somebody)
  await queryOnce(first.url, `create table notes (text text); insert into notes values ('Grüße')`)
  const settings = `select current_setting('fsync') fsync, current_setting('listen_addresses') tcp,
    current_setting('timezone') zone, upper('grüße') upper`
  expect(await queryOnce(first.url, settings)).toEqual([
    { fsync: 'on', tcp: '', zone: 'UTC', upper: 'GRÜßE' },
  ])
  expect(await first.end('SIGTERM')).toBe(0)
  chmodSync(join(starts.packageFolder, 'native', 'lib'), 0o755)

  const second = await starts.start(dataDir, somebody)
  expect(await queryOnce(second.url, 'select text from notes')).toEqual([{ text: 'Grüße' }])
  expect(await second.end('SIGTERM')).toBe(0)
  expect(postgresOn(cluster(dataDir))).toEqual([])
  expect(existsSync(join(dataDir, 'held-by'))).toBe(false)
})

test('leaves no PostgreSQL running and loses no data after kill -9', async () => {
  const dataDir = starts.folderFor('killed')
  const first = await starts.start(dataDir)
  await queryOnce(first.url, 'create table notes (n int); insert into notes values (1)')
  await first.end('SIGKILL')
  // Starts immediately, while the PostgreSQL of the first start may still be shutting down.
  const second = await starts.start(dataDir)
  await queryOnce(second.url, 'insert into notes values (2)')
  expect(postgresOn(cluster(dataDir)).length).toBeGreaterThan(0)
  await second.end('SIGKILL')
  await waitUntil(() => postgresOn(cluster(dataDir)).length === 0)
  await waitUntil(() => !existsSync(socketFolder(second.url)))

  const third = await starts.start(dataDir)
  expect(await queryOnce(third.url, 'select n from notes order by n')).toEqual([{ n: 1 }, { n: 2 }])
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toMatch(/not properly shut down/)
  await third.end('SIGTERM')
})

test('immediately refuses a second start on the same folder and names the pid of the first', async () => {
  const dataDir = starts.folderFor('twice')
  const first = await starts.start(dataDir)
  const began = performance.now()
  const { code, output } = await starts.failStart(dataDir)
  expect(performance.now() - began).toBeLessThan(5000)
  expect(code).toBe(1)
  expect(output).toBe(
    `StartupError: The data folder ${dataDir} is in use by process ${first.pid}: stop that one first, or set DATA_DIR to another folder.\n`,
  )
  expect(await queryOnce(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await first.end('SIGTERM')
})

test('sets an interrupted first start aside, so that the next start succeeds', async () => {
  const dataDir = starts.folderFor('half-made')
  const made = () => readdirSync(dataDir).find((name) => name.startsWith('postgres.new-'))
  await starts.killStart(dataDir, () => existsSync(join(dataDir, made() ?? '', 'base', '1', 'PG_VERSION')))
  await waitUntil(() => postgresOn(join(dataDir, made() ?? '')).length === 0)

  const next = await starts.start(dataDir)
  const aside = readdirSync(dataDir).find((name) => name.startsWith('postgres.unfinished-')) ?? ''
  expect(existsSync(join(dataDir, aside, 'base', '1'))).toBe(true)
  expect(next.output()).toContain(`its unfinished database is now in ${join(dataDir, aside)}`)
  expect(await queryOnce(next.url, 'select current_database() as name')).toEqual([{ name: 'keyturn' }])
  await next.end('SIGTERM')
})

// Not defined for other users instead of skipped, because `npm test` lists the skipped tests.
if (isRoot)
  test('starts as root in a checkout, including its data folder, that no other user can enter', async () => {
    chmodSync(starts.closable, 0o700)
    const dataDir = join(starts.closable, 'checkout', 'data')
    const first = await starts.start(dataDir)
    await queryOnce(first.url, 'create table notes (n int); insert into notes values (1)')
    await first.end('SIGKILL')
    const second = await starts.start(dataDir)
    expect(await queryOnce(second.url, 'select n from notes')).toEqual([{ n: 1 }])
    expect(runsAs(postgresOn(cluster(dataDir)))).toEqual([statSync(cluster(dataDir)).uid])
    expect(statSync(cluster(dataDir)).uid).not.toBe(0)
    await second.end('SIGTERM')
    chmodSync(starts.closable, 0o755)
  })

if (isRoot)
  test('starts as root on an ordinary user’s folder, and as that user after root', async () => {
    const dataDir = starts.folderFor('shared', somebody)
    for (const who of [somebody, {}, somebody]) {
      const start = await starts.start(dataDir, who)
      await start.end('SIGTERM')
    }
    expect(statSync(cluster(dataDir)).uid).toBe(somebody.uid)
  })

// Three processes must die at the same moment. The test is retried for machines that fail to do
// this.
test('ends a PostgreSQL at the next start when its supervisors were killed too', { retry: 2 }, async () => {
  const dataDir = starts.folderFor('orphan')
  const first = await starts.start(dataDir)
  await queryOnce(first.url, 'create table notes (n int); insert into notes values (1)')
  const postmaster = postmasterOf(dataDir)
  const keepers = listSupervisorPids(postmaster)
  // Stops all of them first: a keeper that outlives another by a moment would shut PostgreSQL down
  // properly.
  for (const keeper of keepers) process.kill(keeper, 'SIGSTOP')
  for (const keeper of keepers) process.kill(keeper, 'SIGKILL')
  await first.end('SIGKILL')
  await wait(300)
  expect(runningProcess(postmaster)).not.toBeNull()

  const second = await starts.start(dataDir)
  expect(second.output()).toContain(`process ${postmaster}`)
  expect(runningProcess(postmaster)).toBeNull()
  expect(await queryOnce(second.url, 'select n from notes')).toEqual([{ n: 1 }])
  await second.end('SIGTERM')
  rmSync(socketFolder(first.url), { recursive: true })
})

test('reports a killed postmaster, and starts again despite what it left behind', async () => {
  const dataDir = starts.folderFor('stale')
  const first = await starts.start(dataDir)
  await queryOnce(first.url, 'create table notes (n int); insert into notes values (1)')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  expect(await first.end('SIGCONT')).toBe(3)
  expect(first.output()).toContain('PostgreSQL ended unexpectedly')

  // Simulates a reboot: the pid in the file now belongs to another process.
  const other = spawn('sleep', ['60'], isRoot ? { uid: statSync(cluster(dataDir)).uid } : {})
  const pidFile = join(cluster(dataDir), 'postmaster.pid')
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(other.pid)))
  const second = await starts.start(dataDir)
  expect(await queryOnce(second.url, 'select n from notes')).toEqual([{ n: 1 }])
  await second.end('SIGTERM')
  other.kill()
})

test('refuses a folder of another PostgreSQL version and leaves it unchanged', async () => {
  const dataDir = starts.folderFor('old')
  mkdirSync(cluster(dataDir))
  writeFileSync(join(cluster(dataDir), 'PG_VERSION'), '15\n')
  if (isRoot) chownSync(cluster(dataDir), 65_534, 65_534)
  const { code, output } = await starts.failStart(dataDir)
  expect(code).toBe(1)
  expect(output).toMatch(
    /^StartupError: The database folder .* was created by PostgreSQL 15, this is 18.*\n$/,
  )
  expect(readdirSync(cluster(dataDir))).toEqual(['PG_VERSION'])
})

function socketFolder(url: string): string {
  return decodeURIComponent(new URL(url).hostname)
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(cluster(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0])
}

function runsAs(pids: number[]): number[] {
  return [...new Set(pids.map((pid) => statSync(`/proc/${pid}`).uid))]
}
