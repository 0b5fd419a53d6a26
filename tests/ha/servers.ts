import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../server/platform/database/open-database.ts'
import { startExternalSystems } from '../chaos/external-systems.ts'
import { startServer } from '../chaos/server.ts'
import type { Environment } from '../chaos/setup.ts'
import { createTestCertificate } from '../cluster/certificate.ts'
import { editOperationsFile } from '../cluster/start-program.ts'
import { startObjectStore } from '../support/object-store.ts'
import { freePort } from '../support/server-process.ts'
import type { Cluster } from './cluster.ts'
import { spawnProgram, waitForPort } from './processes.ts'

export type Site = { baseUrl: string; environment: Environment; close(): Promise<void> }

/** Starts two servers behind HAProxy, with a database of their own in the cluster and one object store. */
export async function startSite(cluster: Cluster, folder: string, name: string): Promise<Site> {
  await cluster.query(`create database ${name}`)
  const databaseUrl = cluster.urlOf(name)
  const database = openDatabase({ connectionString: databaseUrl })
  const external = await startExternalSystems()
  const store = await startObjectStore('keyturn')
  const dataDir = mkdtempSync(join(folder, 'site-'))
  const port = await freePort()
  const environment: Environment = {
    databaseUrl,
    database,
    dataDir,
    external,
    settings: {
      ...external.settings,
      ...store.settings,
      S3_BUCKET: 'keyturn',
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUST_PROXY: 'loopback',
      ADMIN_PASSWORD: 'a long enough password',
      SESSION_SECRET: 'a secret that all processes of this run share',
      RATE_LIMITS: 'off',
      DEMO: '0',
    },
    close: async () => {},
  }
  const start = (of: string) => {
    mkdirSync(join(dataDir, of))
    return startServer({ ...environment.settings, DATA_DIR: join(dataDir, of) })
  }
  const servers = [await start('one'), await start('two')]
  const proxy = await startProxy(
    dataDir,
    port,
    servers.map(({ baseUrl }) => new URL(baseUrl).host),
  )
  return {
    baseUrl: environment.settings.PUBLIC_URL ?? '',
    environment,
    async close() {
      proxy.kill('SIGTERM')
      await Promise.all(servers.map((server) => server.stop()))
      await external.close()
      await store.close()
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Serves plain HTTP, which Keyturn accepts for an address of this machine. */
async function startProxy(folder: string, port: number, [one = '', two = '']: readonly string[]) {
  const { key, certificate } = createTestCertificate('keyturn.example')
  writeFileSync(join(folder, 'both.pem'), certificate + key)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    editOperationsFile('haproxy.cfg', [
      [/127\.0\.0\.1:3001/, one],
      [/127\.0\.0\.1:3002/, two],
      [/bind :80\n/, `bind 127.0.0.1:${port}\n`],
      [/bind :443/, `bind 127.0.0.1:${await freePort()}`],
      [/\/etc\/haproxy\/keyturn\.pem/, join(folder, 'both.pem')],
      [/log \/dev\/log local0/, 'log stdout format raw local0'],
      [/ {2}http-request redirect scheme .*\n/, ''],
      [/ {2}user haproxy\n {2}group haproxy\n/, process.getuid?.() === 0 ? '$&' : ''],
    ]),
  )
  const options = { runAs: null, log: join(folder, 'haproxy.log'), cwd: folder }
  const proxy = spawnProgram(['haproxy', '-db', '-f', file], options)
  await waitForPort(port)
  return proxy
}
