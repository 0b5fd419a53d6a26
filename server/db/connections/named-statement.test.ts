import type { EventEmitter } from 'node:events'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { askAhead, describedOnce, takeAhead } from './named-statement.ts'

const house = await openHouse()

async function aClient(config: pg.ClientConfig = {}) {
  const client = describedOnce(new pg.Client({ connectionString: house.databaseUrl, ...config }))
  await client.connect()
  onTestFinished(() => client.end())
  const told: string[] = []
  const { connection } = client as unknown as { connection: EventEmitter }
  for (const name of ['parseComplete', 'rowDescription', 'readyForQuery'])
    connection.on(name, () => told.push(name))
  return { client, told }
}

/** A value of each kind that the driver reads, as text and as what it is read as. */
const kinds = `select $1::int as number, $2::text as word, $3::bytea as bytes, null::int as nothing, true as yes,
  '{"a":[1]}'::jsonb as json, array['x, y', null]::text[] as words, timestamptz '2026-02-28 23:59:59.123+00' as at`
const values = [7, 'word', Buffer.from([0, 255])]

test.each(['array', 'object'] as const)(
  'a named statement answers as the driver’s own, as an %s, first and later',
  async (rowMode) => {
    const { client, told } = await aClient()
    const question = { name: 'kinds', text: kinds, values, ...(rowMode === 'array' && { rowMode }) }
    const { fields, ...usual } = await client.query<unknown[]>({ ...question, name: undefined } as never)
    expect(fields).toHaveLength(8)
    told.length = 0
    for (const round of ['first', 'second', 'third']) {
      const { rows, rowCount, command } = await client.query({ ...question, rowMode } as never)
      expect([round, rows, rowCount, command]).toEqual([round, usual.rows, usual.rowCount, usual.command])
    }
    // What this file is for: two statements would be prepared twice, and described six times.
    expect(told.filter((name) => name !== 'readyForQuery')).toEqual(['parseComplete', 'rowDescription'])
  },
)

test('values come as a list of their own too, and an answer by a callback', async () => {
  const { client } = await aClient()
  const question = { name: 'sum', text: 'select $1::int + $2::int as sum' }
  expect((await client.query(question, [1, 2])).rows).toEqual([{ sum: 3 }])
  const rows = await new Promise((resolve, reject) =>
    client.query({ ...question, values: [3, 4] }, (error, answer) =>
      error ? reject(error) : resolve(answer.rows),
    ),
  )
  expect(rows).toEqual([{ sum: 7 }])
})

test('what answers no rows says how many it has changed', async () => {
  const { client } = await aClient()
  await client.query('create temporary table notes (note text primary key)')
  const insert = { name: 'insert-notes', text: 'insert into notes select * from unnest($1::text[])' }
  for (const notes of [['a', 'b'], [], ['c']]) {
    const { rowCount, command, rows } = await client.query(insert, [notes])
    expect([rowCount, command, rows]).toEqual([notes.length, 'INSERT', []])
  }
  const create = { name: 'create', text: 'create temporary table others ()' }
  expect((await client.query(create)).rowCount).toBeNull()
  const nothing = await client.query({ name: 'nothing', text: '' })
  expect(nothing.rows).toEqual([])
})

test('an error ends one question and not the next, whenever it comes', async () => {
  const { client, told } = await aClient()
  const share = { name: 'share', text: 'select 10 / $1::int as share' }
  // Before it was ever described, and after it.
  for (const by of [0, 5, 0, 2]) {
    const asked = client.query(share, [by])
    if (by === 0) await expect(asked).rejects.toMatchObject({ code: '22012' })
    else expect((await asked).rows).toEqual([{ share: 10 / by }])
  }
  expect(told.filter((name) => name === 'parseComplete')).toHaveLength(1)
  const wrong = { name: 'wrong', text: 'select nothing_of_this_name' }
  for (let round = 0; round < 2; round++)
    await expect(client.query(wrong)).rejects.toMatchObject({ code: '42703' })
  await expect(client.query({ ...share, text: 'select 1' })).rejects.toThrow(
    'Two statements are called share',
  )
  expect((await client.query(share, [1])).rows).toEqual([{ share: 10 }])
})

test('an error leads back to who asked', async () => {
  const { client } = await aClient()
  const asked = async function whoAsked() {
    return await client.query({ name: 'whose', text: 'select 1 / 0' })
  }
  await expect(asked().catch((error: Error) => error.stack)).resolves.toMatch(/whoAsked/)
})

test('what cannot be written or read is the fault of that question alone', async () => {
  const { client } = await aClient()
  const circle: Record<string, unknown> = {}
  circle.circle = circle
  const echo = { name: 'echo', text: 'select $1::jsonb as it' }
  await expect(client.query(echo, [circle])).rejects.toThrow(/circular/)
  const types = {
    getTypeParser: () => () => {
      throw new Error('cannot be read')
    },
  }
  await expect(client.query({ ...echo, types }, [{}])).rejects.toThrow('cannot be read')
  // How it is read is kept with a statement whose answer was read.
  expect((await client.query(echo, [{ a: 1 }])).rows).toEqual([{ it: { a: 1 } }])
})

test('one that is given up waiting is answered once, and its connection serves the next', async () => {
  const { client } = await aClient()
  const sleep = { name: 'sleep', text: 'select pg_sleep($1)::text as slept' }
  const asked = client.query({ ...sleep, query_timeout: 50 } as never, [0.3])
  await expect(asked).rejects.toThrow('Query read timeout')
  expect((await client.query(sleep, [0])).rows).toEqual([{ slept: '' }])
})

test('a table that changes under a statement is told as PostgreSQL tells it, and a column more is no change', async () => {
  const { client } = await aClient()
  await client.query('create temporary table things (id int, size int); insert into things values (1, 2)')
  const find = { name: 'find', text: 'select id, size from things' }
  expect((await client.query(find)).rows).toEqual([{ id: 1, size: 2 }])
  await client.query(`alter table things add column color text default 'red'`)
  expect((await client.query(find)).rows).toEqual([{ id: 1, size: 2 }])
  await client.query('alter table things alter column size type text')
  await expect(client.query(find)).rejects.toThrow('cached plan must not change result type')
})

const begin = { name: 'begin', text: 'begin' }
const count = { name: 'count-notes', text: 'select count(*)::int as notes from notes' }
const write = (note: string) => ({ name: 'write', text: 'insert into notes values ($1)', values: [note] })

async function withNotes() {
  const { client, told } = await aClient()
  await client.query('create temporary table notes (note text primary key)')
  const trips = () => told.splice(0).filter((name) => name === 'readyForQuery').length
  trips()
  return { client, told, trips }
}

test('what is asked ahead goes with the next question, whose answer is the answer, first and later', async () => {
  const { client, trips } = await withNotes()
  for (const notes of [1, 2, 3]) {
    await askAhead(client, [begin, write(`note ${notes}`)])
    expect(trips()).toBe(0)
    expect((await client.query(count)).rows).toEqual([{ notes }])
    expect((await client.query({ name: 'commit', text: 'commit' })).command).toBe('COMMIT')
    expect(trips()).toBe(2)
  }
})

test('what fails ahead stops what was sent behind it, and is the fault of that question', async () => {
  const { client, trips } = await withNotes()
  await client.query(write('there'))
  for (let round = 0; round < 2; round++) {
    trips()
    await askAhead(client, [begin, write('there')])
    await expect(client.query(write('other'))).rejects.toMatchObject({ code: '23505' })
    await client.query('rollback')
    expect(trips()).toBe(2)
    expect((await client.query(count)).rows).toEqual([{ notes: 1 }])
  }
  // What was prepared before the fault stays so, and what came after it is prepared when it is asked.
  await askAhead(client, [begin])
  expect((await client.query(write('other'))).rowCount).toBe(1)
  await client.query('rollback')
})

test('a question without a name comes after what was asked ahead of it', async () => {
  const { client } = await withNotes()
  await askAhead(client, [begin, write('one')])
  expect((await client.query('select note from notes')).rows).toEqual([{ note: 'one' }])
  await askAhead(client, [write('one')])
  await expect(client.query('select note from notes')).rejects.toMatchObject({ code: '23505' })
  await client.query('rollback')
})

test('what was not asked yet can be taken back', async () => {
  const { client } = await withNotes()
  await askAhead(client, [begin, write('one')])
  expect(takeAhead(client)).toEqual([begin, write('one')])
  expect((await client.query(count)).rows).toEqual([{ notes: 0 }])
  expect(takeAhead(client)).toEqual([])
})

test('a connection that asks one by one asks at once', async () => {
  const client = new pg.Client({ connectionString: house.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create temporary table notes (note text primary key)')
  await askAhead(client, [begin, write('one')])
  expect(takeAhead(client)).toEqual([])
  expect((await client.query(count)).rows).toEqual([{ notes: 1 }])
  await client.query(write('two'))
  await expect(askAhead(client, [write('two')])).rejects.toMatchObject({ code: '23505' })
})
