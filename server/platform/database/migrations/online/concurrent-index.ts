import pg from 'pg'

type Index = { statement: string; name: string }

/** Parses a migration that creates an index concurrently, which must run outside a transaction. */
export function parseConcurrentIndex(text: string): Index | null {
  const statement = text.replace(/^\s*--.*$/gm, '').trim()
  const name = /^create\s+index\s+concurrently\s+(\w+)/i.exec(statement)?.[1]
  return name === undefined ? null : { statement, name }
}

/**
 * Creates the index, and first drops an invalid one that an interrupted attempt left. PostgreSQL
 * waits for all open transactions; this function fails with a lock timeout after `maxWaitMs`.
 */
export async function createIndex(
  client: pg.ClientBase,
  { statement, name }: Index,
  maxWaitMs = 60_000,
): Promise<void> {
  await client.query(`set lock_timeout = ${maxWaitMs}`)
  try {
    await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(name)}`)
    await client.query(statement)
  } finally {
    await client.query('reset lock_timeout').catch(() => {})
  }
}
