import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, inject } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { type Config, readConfig } from '../../server/config.ts'
import type { Deps } from '../../server/deps.ts'
import { createVinDecoder } from '../../server/integrations/vin-decoder/vin-decoder.ts'
import { createPdfPrinter } from '../../server/modules/agreements/pdf/pdf-printer.ts'
import { type Database, openDatabase } from '../../server/platform/database/open-database.ts'
import { createPictures } from '../../server/platform/storage/pictures.ts'
import { queryOnce } from '../cluster/replacement.ts'
import { type Browser, createTestClient } from './browser.ts'
import { withDatabaseHost, withDatabaseName, withServingRole } from './database/database.ts'
import { watchDeclaredErrors } from './undeclared-errors.ts'

export type TestServer = {
  app: FastifyInstance
  deps: Deps
  /** Connection string to this server's database as the serving role, for a second server. */
  databaseUrl: string
  /** Direct access as the role that owns the tables. */
  owner: Database
  ownerUrl: string
  browser(): Browser
  /** Moves the database's clock by an interval such as `73 hours`, counted from the real time. */
  moveClock(interval: string): Promise<void>
  /** Stops the database's clock until it is moved again, to test limits to the second. */
  stopClock(at: string): Promise<void>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/**
 * Starts a server on a new database, by default without rate limits. It is closed after the file's
 * tests. `pooler` is the host and port of a pooler in front of the database.
 */
export async function startTestServer(
  settings: Record<string, string> = {},
  pooler = process.env.TEST_POOLER,
): Promise<TestServer> {
  const clusterUrl = inject('database')
  const name = `test_${randomBytes(6).toString('hex')}`
  await queryOnce(clusterUrl, `create database ${name} template ${inject('template')}`)
  const ownerUrl = withDatabaseName(clusterUrl, name)
  const databaseUrl = withServingRole(ownerUrl)
  const dataDir = mkdtempSync(join(tmpdir(), 'keyturn-test-'))
  const config: Config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: 'open sesame 42',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    DEMO: '0',
    ...settings,
  })
  const log = pino({ level: config.logLevel }, pino.destination({ dest: logFile(), sync: false }))
  const database = openDatabase(
    pooler
      ? { connectionString: withDatabaseHost(databaseUrl, pooler), direct: databaseUrl, max: 20 }
      : { connectionString: databaseUrl, max: 20 },
  )
  const owner = openDatabase({ connectionString: ownerUrl })
  const vins = createVinDecoder()
  const pictures = createPictures({ config, log })
  const errorWatch = watchDeclaredErrors()
  const { onApiError } = errorWatch
  // Printing PDFs takes a long time on a busy machine.
  const patience = { maxWaitMs: 120_000, maxRunMs: 120_000, callerTimeoutMs: 200_000 }
  const printer = createPdfPrinter(config, {
    ...patience,
    onFault: (fault) => log.error({ err: fault }, 'an agreement PDF could not be drawn'),
  })
  const { db, pool } = database
  const deps: Deps = { db, pool, config, vins, pictures, printer, log, onApiError }
  const app = await buildApp(deps, new URL('../../dist/web/', import.meta.url))
  await app.ready()

  const setClock = async (clock: string) => {
    await owner.pool.query(
      `create or replace function keyturn_now() returns timestamptz language sql stable as $$ select ${clock} $$`,
    )
  }
  const testServer: TestServer = {
    app,
    deps,
    databaseUrl,
    owner,
    ownerUrl,
    browser: () => createTestClient(app),
    moveClock: (interval) => setClock(`now() + interval '${interval}'`),
    stopClock: (at) => setClock(`timestamptz '${at}'`),
    query: async (text, values) => (await owner.pool.query(text, values)).rows,
    close: async () => {
      await app.close()
      await vins.close()
      await pictures.close()
      await printer.close()
      await database.close()
      await owner.close()
      await queryOnce(clusterUrl, `drop database if exists ${name} with (force)`)
      rmSync(dataDir, { recursive: true, force: true })
      errorWatch.check()
    },
  }
  afterAll(testServer.close)
  return testServer
}

/** `npm test` searches the logs of the whole run for secrets. */
const logFile = () => join(process.env.TEST_LOGS ?? tmpdir(), `keyturn-test-${process.pid}.log`)
