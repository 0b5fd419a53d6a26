import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startTestCluster } from '../../../server/integrations/embedded-postgres/test-cluster.ts'
import { grantServingRole } from '../../../server/platform/database/application-role.ts'
import { migrate } from '../../../server/platform/database/migrate.ts'
import { copyLogs } from '../secrets.ts'
import { servingRoleName, withDatabaseName } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    database: string
    /** The migrated database that each test file copies. */
    template: string
  }
}

const templateName = 'keyturn_template'

/** Starts one PostgreSQL per run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const cluster = given ? null : await startTestCluster()
  const connectionString = given ?? cluster?.connectionString ?? ''
  const admin = new pg.Client({ connectionString })
  await admin.connect()
  await admin.query(`drop database if exists ${templateName} with (force)`)
  await admin.query(`create database ${templateName}`)
  const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [servingRoleName])
  if (rowCount === 0) await admin.query(`create role ${servingRoleName} login password '${servingRoleName}'`)
  await admin.end()
  const pool = new pg.Pool({ connectionString: withDatabaseName(connectionString, templateName) })
  await migrate(pool)
  await grantServingRole(pool, servingRoleName)
  // The serving role may do anything with tables that a test creates.
  await pool.query(`alter default privileges grant all on tables to ${servingRoleName};
    alter default privileges grant all on sequences to ${servingRoleName}`)
  await pool.end()
  project.provide('database', connectionString)
  project.provide('template', templateName)
  return async () => {
    if (cluster) copyLogs(cluster.dataDir)
    await cluster?.stop()
  }
}
