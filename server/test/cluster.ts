import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/migrate.ts'
import { openTestCluster } from '../embedded-postgres/test-cluster.ts'
import { onDatabase } from './database.ts'
import { keepLogs } from './secrets.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: string
    /** The migrated database from which each test file makes its own. */
    template: string
  }
}

const templateName = 'keyturn_template'

/** Once per run: one PostgreSQL, and in it a migrated template from which each test file makes its own database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const cluster = given ? null : await openTestCluster()
  const connectionString = given ?? cluster?.connectionString ?? ''
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  await admin.query(`drop database if exists ${templateName} with (force)`)
  await admin.query(`create database ${templateName}`)
  await admin.end()
  const pool = new pg.Pool({ connectionString: onDatabase(connectionString, templateName) })
  await migrate(pool, new URL('../db/migrations/', import.meta.url))
  await pool.end()
  project.provide('database', connectionString)
  project.provide('template', templateName)
  return async () => {
    if (cluster) keepLogs(cluster.dataDir)
    await cluster?.stop()
  }
}
