import pg from 'pg'
import { withDatabaseName } from '../support/database/database.ts'

/** A copy of a database that can be swapped with it under the same name. */
export type Replacement = {
  /** Ends all connections and swaps the databases, after running `before`. */
  swap(before?: string): Promise<void>
  drop(): Promise<void>
}

/** Prepares the swap of a database. The first swap creates the copy. */
export function prepareReplacement(clusterUrl: string, name: string): Replacement {
  const copy = `${name}_copy`
  let isCopied = false
  return {
    async swap(before) {
      await queryOnce(clusterUrl, `alter database ${name} allow_connections false`)
      await queryOnce(
        clusterUrl,
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
      )
      if (!isCopied) await queryOnce(clusterUrl, `create database ${copy} template ${name}`)
      isCopied = true
      await queryOnce(clusterUrl, `alter database ${copy} allow_connections true`)
      if (before) await queryOnce(withDatabaseName(clusterUrl, copy), before)
      await queryOnce(clusterUrl, `alter database ${name} rename to ${name}_away`)
      await queryOnce(clusterUrl, `alter database ${copy} rename to ${name}`)
      await queryOnce(clusterUrl, `alter database ${name}_away rename to ${copy}`)
      await queryOnce(clusterUrl, `alter database ${name} allow_connections true`)
    },
    drop: async () => void (await queryOnce(clusterUrl, `drop database if exists ${copy} with (force)`)),
  }
}

/** Runs a query on a new connection, which leads to the current database. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  at: string | pg.ClientConfig,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client(at)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
