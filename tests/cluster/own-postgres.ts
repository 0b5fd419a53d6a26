import { spawnSync } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { findPrograms, type Programs } from '../../server/integrations/embedded-postgres/programs.ts'
import { chownFolder, initdbUser, postgresUser } from '../../server/integrations/embedded-postgres/run-as.ts'
import {
  type RunAs,
  type SupervisedProcess,
  superviseProcess,
} from '../../server/integrations/embedded-postgres/supervise-process.ts'
import { aFolder, freePort, type WhenOver } from '../support/start.ts'
import { askOnce } from './replacement.ts'

/** A PostgreSQL reached at a port, as an operator runs it. */
export type OwnPostgres = {
  url: string
  host: string
  ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  kill(): void
  stop(): Promise<void>
  start(settings: Settings): Promise<void>
  /** Starts a standby of this server with this name and these settings. */
  standby(name: string, settings: Settings): Promise<OwnPostgres>
}
type Settings = Record<string, string>

const user = 'keyturn'
const common: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // There is no power loss here, and written data survives a killed process.
  fsync: 'off',
  shared_buffers: '32MB',
  wal_level: 'replica',
  wal_keep_size: '256MB',
}

export function aPostgres(settings: Settings, whenOver: WhenOver): Promise<OwnPostgres> {
  return open(settings, whenOver, (cluster, { initdb }, runAs) => {
    const how = [
      '-D',
      cluster,
      '--username',
      user,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ]
    const { status, stderr } = spawnSync(initdb, how, { encoding: 'utf8', cwd: '/', env: {}, ...runAs })
    if (status !== 0) throw new Error(`initdb: ${stderr}`)
  })
}

async function open(
  settings: Settings,
  whenOver: WhenOver,
  make: (cluster: string, programs: Programs, runAs: RunAs) => void | Promise<void>,
): Promise<OwnPostgres> {
  const folder = aFolder(whenOver)
  const cluster = join(folder, 'cluster')
  const runAs = initdbUser(postgresUser(cluster))
  mkdirSync(cluster, { mode: 0o700 })
  chownFolder(folder, runAs)
  const programs = programsFor(folder, runAs)
  await make(cluster, programs, runAs)
  chownFolder(folder, runAs)
  const port = await freePort()
  let kept: SupervisedProcess | undefined
  const stop = async () => void (await kept?.end())
  whenOver(stop)

  async function start(more: Settings): Promise<void> {
    const log = openSync(join(folder, 'log'), 'a')
    const all = { ...common, ...settings, ...more, port: String(port) }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    kept = superviseProcess([programs.postgres, '-D', cluster, ...options], {
      cwd: folder,
      runAs,
      output: log,
    })
    closeSync(log)
    kept.unref()
    const said = () => readFileSync(join(folder, 'log'), 'utf8')
    for (const end = performance.now() + 60_000; ; await wait(20)) {
      const fault = await ask('select 1', 'postgres').then(() => null, String)
      if (!fault) return
      if (performance.now() > end) throw new Error(`PostgreSQL does not start: ${fault} ${said()}`)
    }
  }

  const ask = <Row extends pg.QueryResultRow>(text: string, database = user) =>
    askOnce<Row>(`postgres://${user}@127.0.0.1:${port}/${database}`, text)

  await start({})
  const there = await ask(`select from pg_database where datname = '${user}'`, 'postgres')
  if (there.length === 0) await ask(`create database ${user}`, 'postgres')
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${user}`,
    host: `127.0.0.1:${port}`,
    ask,
    kill: () =>
      process.kill(Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    stop,
    start,
    standby: (name, others) =>
      open(
        { ...others, primary_conninfo: `host=127.0.0.1 port=${port} user=${user} application_name=${name}` },
        whenOver,
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
