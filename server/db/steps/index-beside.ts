import pg from 'pg'

type Index = { statement: string; name: string }

/** A step that makes an index while its table is written to, which PostgreSQL does outside of a transaction only. */
export function indexBeside(text: string): Index | null {
  const statement = text.replace(/^\s*--.*$/gm, '').trim()
  const name = /^create\s+index\s+concurrently\s+(\w+)/i.exec(statement)?.[1]
  return name === undefined ? null : { statement, name }
}

/** One that was interrupted leaves an index behind that nobody uses, and its name is taken. */
export async function makeIndex(client: pg.ClientBase, { statement, name }: Index): Promise<void> {
  await client.query(`drop index concurrently if exists ${pg.escapeIdentifier(name)}`)
  await client.query(statement)
}
