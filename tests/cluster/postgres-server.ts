import { spawnSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findPrograms, type Programs } from '../../server/integrations/embedded-postgres/find-programs.ts'
import { chownFolder, initdbUser, postgresUser } from '../../server/integrations/embedded-postgres/run-as.ts'
import {
  type RunAs,
  type SupervisedProcess,
  superviseProcess,
} from '../../server/integrations/embedded-postgres/supervise-process.ts'
import { type AddCleanup, createTestFolder, freePort } from '../support/server-process.ts'
import { queryOnce } from './replacement.ts'

/** A PostgreSQL at a port, as an operator runs it. */
export type PostgresServer = {
  url: string
  host: string
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  kill(): void
  stop(): Promise<void>
  start(settings: Settings): Promise<void>
  standby(name: string, settings: Settings): Promise<PostgresServer>
}
type Settings = Record<string, string>

const user = 'keyturn'
const common: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // No power failure is tested, and written data survives a killed process.
  fsync: 'off',
  shared_buffers: '32MB',
  wal_level: 'replica',
  wal_keep_size: '256MB',
}

export function startPostgresServer(settings: Settings, addCleanup: AddCleanup): Promise<PostgresServer> {
  return open(settings, addCleanup, (cluster, { initdb }, runAs) => {
    const args = [
      '-D',
      cluster,
      '--username',
      user,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]
    const { status, stderr } = spawnSync(initdb, args, { encoding: 'utf8', cwd: '/', env: {}, ...runAs })
    if (status !== 0) throw new Error(`initdb: ${stderr}`)
  })
}

async function open(
  settings: Settings,
  addCleanup: AddCleanup,
  make: (cluster: string, programs: Programs, runAs: RunAs) => void | Promise<void>,
): Promise<PostgresServer> {
  const folder = createTestFolder(addCleanup)
  const cluster = join(folder, 'cluster')
  const runAs = initdbUser(postgresUser(cluster))
  mkdirSync(cluster, { mode: 0o700 })
  chownFolder(folder, runAs)
  const programs = programsFor(folder, runAs)
  await make(cluster, programs, runAs)
  chownFolder(folder, runAs)
  const port = await freePort()
  let running: SupervisedProcess | undefined
  const stop = async () => void (await running?.end())
  addCleanup(stop)

  async function start(more: Settings): Promise<void> {
    const log = openSync(join(folder, 'log'), 'a')
    const all = { ...common, ...settings, ...more, port: String(port) }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    running = superviseProcess([programs.postgres, '-D', cluster, ...options], {
      cwd: folder,
      runAs,
      output: log,
    })
    closeSync(log)
    running.unref()
    const readLog = () => readFileSync(join(folder, 'log'), 'utf8')
    for (const end = performance.now() + 60_000; ; await wait(20)) {
      const fault = await query('select 1', 'postgres').then(() => null, String)
      if (!fault) return
      if (performance.now() > end) throw new Error(`PostgreSQL does not start: ${fault} ${readLog()}`)
    }
  }

  const query = <Row extends pg.QueryResultRow>(text: string, database = user) =>
    queryOnce<Row>(`postgres://${user}@127.0.0.1:${port}/${database}`, text)

  await start({})
  const found = await query(`select from pg_database where datname = '${user}'`, 'postgres')
  if (found.length === 0) await query(`create database ${user}`, 'postgres')
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${user}`,
    host: `127.0.0.1:${port}`,
    query: query,
    kill: () =>
      process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    stop,
    start,
    standby: (name, others) =>
      open(
        { ...others, primary_conninfo: `host=127.0.0.1 port=${port} user=${user} application_name=${name}` },
        addCleanup,
        async (copy) => {
          await copyCluster(cluster, `postgres://${user}@127.0.0.1:${port}/${user}`, copy)
          writeFileSync(join(copy, 'standby.signal'), '')
        },
      ),
  }
}

/** Uses the npm package, or an installed version: TEST_POSTGRES=/usr/lib/postgresql/15/bin. */
function programsFor(folder: string, runAs: RunAs): Programs {
  const given = process.env.TEST_POSTGRES
  if (!given) return findPrograms(folder, runAs, () => {})
  return { postgres: join(given, 'postgres'), initdb: join(given, 'initdb') }
}

/** Replaces `pg_basebackup`, which the npm package lacks. */
export async function copyCluster(cluster: string, url: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`select pg_backup_start('base', true)`)
  cpSync(cluster, copy, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$|\/pg_wal\/[0-9A-F]{24}/.test(path),
  })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
  await client.end()
  writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
}
