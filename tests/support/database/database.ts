import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestServer } from '../test-server.ts'

/** Returns the connection string of another database on the same server. */
export function withDatabaseName(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}

/** Returns the connection string of the same database at another host. */
export function withDatabaseHost(connectionString: string, host: string): string {
  const url = new URL(connectionString)
  url.host = host
  return url.href
}

/** The serving role, as in production. Only direct checks of tests use the owner. */
export const servingRoleName = 'keyturn_app'

/** Returns the connection string of the same database in the serving role. */
export function withServingRole(connectionString: string): string {
  const url = new URL(connectionString)
  url.username = servingRoleName
  url.password = servingRoleName
  return url.href
}

/** PostgreSQL can explain statements with unbound parameters only since version 16. */
export async function supportsGenericPlans({ query }: Pick<TestServer, 'query'>): Promise<boolean> {
  const [{ version } = { version: 0 }] = await query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  return version >= 160_000
}

/** Far below the number of modules that prepare queries, so that only a broken search fails. */
const minPreparingModules = 30

/** Loads every module that prepares queries, so that `preparedQueryTexts` is complete. */
export async function loadPreparedQueries(): Promise<void> {
  const server = fileURLToPath(new URL('../../../server/', import.meta.url))
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      /\bprepare(Query|Statement)[<(]/.test(readFileSync(server + file, 'utf8')),
  )
  if (files.length < minPreparingModules)
    throw new Error(`Only ${files.length} modules prepare queries: the pattern above is out of date`)
  for (const file of files) await import(server + file)
}

type Statement = { text: string; values: unknown[] }
type Query = { text: string; name?: string; values?: unknown[] }

/**
 * Runs the work and returns the statements that this process sent, in order. `trips` is the number
 * of round trips. Signals are excluded, because they are sent in batches after a commit (decision
 * 59).
 */
export async function recordStatements<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: Statement[]; trips: number }> {
  const statements: Statement[] = []
  let trips = 0
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: never[]) {
    const [statement, more] = given as unknown as [string | Query | { parts: Query[] }, unknown]
    const queries =
      typeof statement === 'string'
        ? [{ text: statement }]
        : 'parts' in statement
          ? statement.parts
          : [statement]
    const counted = queries.filter(({ name }) => name !== 'send-signals')
    if (counted.length > 0) trips += 1
    for (const { text, values = more } of counted)
      statements.push({ text, values: Array.isArray(values) ? values : [] })
    return (query as (...all: never[]) => unknown).apply(this, given)
  } as typeof query
  try {
    const result = await work()
    return { result, statements, trips }
  } finally {
    pg.Client.prototype.query = query
  }
}
