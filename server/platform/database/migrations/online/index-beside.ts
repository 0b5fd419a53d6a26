import pg from 'pg'

type Index = { statement: string; name: string }

/** A step that makes an index while its table is written to, which PostgreSQL does outside of a transaction only. */
export function indexBeside(text: string): Index | null {
  const statement = text.replace(/^\s*--.*$/gm, '').trim()
  const name = /^create\s+index\s+concurrently\s+(\w+)/i.exec(statement)?.[1]
  return name === undefined ? null : { statement, name }
}

/**
 * It waits for whoever has a transaction open, and the start waits with it: after a minute that is refused. One that was interrupted
 * leaves an index behind that nobody uses, and its name is taken.
 */
export async function makeIndex(
  client: pg.ClientBase,
  { statement, name }: Index,
  longestWaitMs = 60_000,
): Promise<void> {
  await client.query(`set lock_timeout = ${longestWaitMs}`)
  try {
    await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(name)}`)
    await client.query(statement)
  } finally {
    await client.query('reset lock_timeout').catch(() => {})
  }
}
