import { and, eq, sql } from 'drizzle-orm'
import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { beforeAll, expect, expectTypeOf, test } from 'vitest'
import { startTestServer } from '../../../tests/support/test-server.ts'
import { bytesColumn, centsColumn, idColumn, jsonColumn, momentColumn, now, pickColumns } from './columns.ts'
import { transaction } from './open-database.ts'
import { type Placeholders, prepareQuery } from './prepare-query.ts'

const server = await startTestServer()
const { db } = server.deps

const shelves = pgTable('shelves', {
  id: idColumn('id').primaryKey(),
  name: text('name').notNull(),
})
const books = pgTable('books', {
  id: idColumn('id').primaryKey(),
  shelfId: idColumn('shelf_id'),
  priceCents: centsColumn('price_cents'),
  boughtAt: momentColumn('bought_at'),
  cover: bytesColumn('cover'),
  words: jsonColumn('words').$type<{ first: string[] }>(),
  authors: text('authors').array().notNull(),
  pages: integer('pages'),
  lent: boolean('lent').notNull(),
})
const [id, shelfId] = ['a'.repeat(24), 'b'.repeat(24)]
const book = {
  id,
  shelfId,
  priceCents: 9_007_199_254_740_991,
  boughtAt: new Date('2026-02-28T23:59:59.123Z'),
  cover: Buffer.from([0, 255]),
  words: { first: ['Once', 'upon "a" time'] },
  authors: ['A, B', '{C}'],
  pages: 7,
  lent: true,
}

beforeAll(async () => {
  await server.query(`
    create table shelves (id char(24) primary key, name text not null);
    create table books (id char(24) primary key, shelf_id char(24), price_cents bigint, bought_at timestamptz, cover bytea,
      words jsonb, authors text[] not null, pages int, lent boolean not null);
    insert into shelves values ('${shelfId}', 'by the door')`)
})

const insertBook = prepareQuery('test-insert-book', (on, p: Placeholders<typeof books.$inferSelect>) =>
  on
    .insert(books)
    .values({
      id: p.id,
      shelfId: p.shelfId,
      priceCents: p.priceCents,
      boughtAt: p.boughtAt,
      cover: p.cover,
      words: p.words,
      authors: p.authors,
      pages: p.pages,
      lent: p.lent,
    })
    .onConflictDoNothing()
    .returning(),
)
const findBook = prepareQuery('test-book', (on, p: Placeholders<{ id: string }>) =>
  on
    .select({ book: books, shelf: pickColumns(shelves, 'id', 'name'), now })
    .from(books)
    .leftJoin(shelves, eq(shelves.id, books.shelfId))
    .where(eq(books.id, p.id)),
)

test('reads back the values that were written, with the types of their columns', async () => {
  expect(await insertBook(db, book)).toEqual([book])
  const [found] = await findBook(db, { id })
  expect(found).toEqual({ book, shelf: { id: shelfId, name: 'by the door' }, now: expect.any(Date) })
  expect(Math.abs((found?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
})

test('returns null for null columns, and for a joined row that does not exist', async () => {
  const empty = { ...book, id: 'c'.repeat(24), shelfId: null, priceCents: null, boughtAt: null, words: null }
  expect(await insertBook(db, { ...empty, cover: null, pages: null })).toHaveLength(1)
  const [found] = await findBook(db, { id: empty.id })
  expect(found).toMatchObject({ shelf: null, book: { ...empty, cover: null, pages: null } })
})

test('returns a joined row even if only some of its columns are null', async () => {
  const findLoose = prepareQuery('test-loose-shelf', (on, p: Placeholders<{ id: string }>) =>
    on
      .select({ shelf: pickColumns(shelves, 'id'), book: pickColumns(books, 'lent', 'priceCents', 'pages') })
      .from(shelves)
      .leftJoin(books, and(eq(books.lent, true), eq(books.id, p.id))),
  )
  const shelf = { id: shelfId }
  expect(await findLoose(db, { id: 'c'.repeat(24) })).toEqual([
    { shelf, book: { priceCents: null, pages: null, lent: true } },
  ])
  expect(await findLoose(db, { id: 'd'.repeat(24) })).toEqual([{ shelf, book: null }])
})

test('returns rows of the type that the query infers', () => {
  type Found = Awaited<ReturnType<typeof findBook>>[number]
  expectTypeOf<Found['book']>().toEqualTypeOf<typeof books.$inferSelect>()
  expectTypeOf<Found['shelf']>().toEqualTypeOf<{ id: string; name: string } | null>()
  expectTypeOf<Found['now']>().toEqualTypeOf<Date>()
  expectTypeOf(findBook).parameter(1).toEqualTypeOf<{ id: string }>()
})

test('rejects when a placeholder has no value', async () => {
  await expect(findBook(db, { id: undefined } as unknown as { id: string })).rejects.toThrow(
    'No value was given for "id"',
  )
})

test('runs on the pool and in a transaction, and is rolled back with the transaction', async () => {
  const other = { ...book, id: 'e'.repeat(24) }
  const failed = transaction(db, async (tx) => {
    expect(await insertBook(tx, other)).toHaveLength(1)
    expect(await findBook(tx, { id: other.id })).toHaveLength(1)
    throw new Error('after all')
  })
  await expect(failed).rejects.toThrow('after all')
  expect(await findBook(db, { id: other.id })).toEqual([])
})

test('prepares the query on its connection under its name', async () => {
  const { rows } = await transaction(db, async (tx) => {
    await findBook(tx, { id })
    return tx.execute(sql`select name from pg_prepared_statements where name = 'test-book'`)
  })
  expect(rows).toEqual([{ name: 'test-book' }])
})
