import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allCalls } from '@keyturn/contract/calls.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { headersOf, pageHeaders } from '../../server/http/headers.ts'
import { callLimits } from '../../server/limits/call-limits.ts'
import { limits } from '../../server/limits/throttles.ts'
import { openHouse } from '../../server/test/house.ts'
import { type Guard, guardOf, numbered, without } from './guard.ts'
import { cell } from './kinds/cell.ts'
import { condition, unreadSql } from './kinds/condition.ts'
import { databaseGuards } from './kinds/database.ts'
import { unnamedDemands } from './kinds/demand.ts'
import { openLaboratory } from './laboratory.ts'
import { guardsOfSources, kinds, triedOf } from './list.ts'
import { functionAt, marked } from './marks.ts'
import { type Reach, reachingOf } from './reach.ts'
import { assertReadable, productFiles, readSource, root, sourceOf } from './source.ts'
import { conjunctsOf } from './sql.ts'
import { tryGuard } from './trial.ts'

const house = await openHouse()
const laboratory = await openLaboratory({ database: false })
afterAll(laboratory.close)
const ofDatabase = await databaseGuards(house.query as never)
const all = numbered([...guardsOfSources(), ...ofDatabase])
const ofKind = (kind: string) => all.filter((guard) => guard.kind === kind)
const server = productFiles(/^server\/(accounts|cars|deals|http|limits|mail|notifications|trades)\//)

/** They change what is asked of them, and refuse only what cannot be changed. */
const notDemands = [
  'server/deals/actions.ts deleteUser',
  'server/deals/actions.ts detachFromRequest',
  'server/deals/agreement/package.ts packDeal',
  'server/deals/agreement/signing.ts sign',
  'server/deals/deciding.ts confirm',
  'server/deals/deciding.ts deny',
  'server/deals/ending.ts deleteCar',
  'server/deals/messages/messages.ts handleReport',
  'server/deals/progress.ts moveBuyer',
]

describe('the list of guards is complete', () => {
  test('there are some of every kind, and no two share a name', () => {
    for (const { name } of kinds.filter(({ name }) => name !== 'by hand'))
      expect(ofKind(name)).not.toEqual([])
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('every group of people that a call names', () => {
    const named = allCalls.flatMap(({ who }) => who).filter((name) => name !== 'anyone')
    expect(ofKind('who')).toHaveLength(named.length)
  })

  test('every table of the rules', async () => {
    const files = productFiles(/^contract\/\w+\/(rules|stages)\.ts$/)
    const tables = await Promise.all(
      files.map(async (path) => {
        const values = Object.entries(await import(join(root, path)))
        return values.filter(([, value]) => typeof value !== 'function').map(([name]) => `${path} ${name}`)
      }),
    )
    const tried = new Set(ofKind('cell').map(({ path, within }) => `${path} ${within}`))
    expect(tables.flat().filter((table) => !tried.has(table))).toEqual([])
    expect(tables.flat().length).toBeGreaterThan(15)
  })

  test('every limit of the table of limits', () => {
    const tried = ofKind('limit').map(({ id }) => id)
    const missed = Object.values(limits).filter(({ name }) => !tried.some((id) => id.includes(`'${name}'`)))
    expect(missed).toEqual([])
  })

  test('every bound of a field', () => {
    const tried = new Set(ofKind('limit').map(({ path, line }) => `${path}:${line}`))
    const bounds = productFiles(/^contract\/(?!kit)\w+\//).flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').split('\n').entries()]
        .filter(([, line]) => /\.(min|max|regex)\((?!0|1\))/.test(line.replace(/Math\.(min|max)/g, '')))
        .map(([index]) => `${path}:${index + 1}`),
    )
    expect(bounds.filter((line) => !tried.has(line))).toEqual([])
    expect(bounds.length).toBeGreaterThan(5)
  })

  test('every limit of every call', () => {
    const tried = ofKind('limit').map(({ id }) => id)
    const own = Object.entries(callLimits).filter(([, list]) => list !== callLimits['GET /trades'])
    expect(own.filter(([name]) => !tried.some((id) => id.includes(`'${name}'`)))).toEqual([])
    expect(tried.filter((id) => id.includes(' ownRead: '))).not.toEqual([])
  })

  test('every use of a limit, but where turns are given back', () => {
    const tried = ofKind('demand').map(({ edits: [edit] }) => edit?.was ?? '')
    const uses = server
      .filter((path) => path !== 'server/limits/throttles.ts')
      .flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
      .filter((line) => !/returnTurn|forgetTurns|=== limits|isSlowed\(/.test(line))
      .flatMap((line) => line.match(/(?<![/-])\blimits\.\w+/g) ?? [])
    expect(uses.filter((use) => !tried.some((text) => new RegExp(`${use}\\b`).test(text)))).toEqual([])
    expect(uses.length).toBeGreaterThan(30)
  })

  test('every function that only refuses is named so, and each time it is asked', () => {
    const unnamed = new Set(server.flatMap((path) => unnamedDemands(readSource(path))))
    expect([...unnamed].sort()).toEqual(notDemands)
  })

  test('every header of every answer', () => {
    const names = Object.keys({ ...headersOf(true), ...pageHeaders })
    const tried = ofKind('header').map(({ id }) => id)
    expect(names.filter((name) => !tried.some((id) => id.includes(`'${name}'`)))).toEqual([])
  })

  test('every refusal behind a condition on its own line', () => {
    const lines = server.flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').split('\n').entries()]
        .filter(([, line]) => /^ *if \(.*\) throw /.test(line))
        .map(([index]) => `${path}:${index + 1}`),
    )
    const tried = new Set(ofKind('refusal').map(({ path, line }) => `${path}:${line}`))
    expect(lines.filter((line) => !tried.has(line))).toEqual([])
    expect(lines.length).toBeGreaterThan(50)
  })

  test('every query with a condition that is more than the name of a row', () => {
    expect(server.flatMap((path) => unreadSql(readSource(path)))).toEqual([])
  })

  test('every unique index and trigger of the migrations', () => {
    const folder = join(root, 'server/db/migrations')
    const sql = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n')
    const made = [...sql.matchAll(/create (?:unique index|trigger) (\w+)/g)].map(([, name = '']) => name)
    expect(made.filter((name) => !ofDatabase.some(({ id }) => id.includes(name)))).toEqual([])
    expect(ofDatabase.filter(({ id }) => id.includes('CHECK')).length).toBeGreaterThan(20)
  })

  test('every exception names a guard that exists', () => {
    expect(triedOf(all).length).toBeGreaterThan(500)
  })

  test('a file without a guard still parses', () => {
    const one = new Map(
      all.filter(({ edits }) => edits.length > 0).map((guard) => [`${guard.kind} ${guard.path}`, guard]),
    )
    for (const guard of one.values())
      expect(() => assertReadable(without([guard], guard.path, readSource(guard.path).text))).not.toThrow()
  })
})

describe('conditions', () => {
  const found = (text: string) =>
    condition.find(sourceOf('server/deals/store.ts', text)).map(({ what }) => what)

  test('of the query builder are removed one by one, except those that name the row', () => {
    const query = `const find = prepared('x', (db) => db.select().from(cars)
      .where(and(eq(cars.id, p('id')), eq(cars.sellerId, p('sellerId')), or(live, and(isNull(cars.deletedAt))))))`
    expect(found(query)).toEqual([
      "without eq(cars.sellerId, p('sellerId'))",
      'without or(live, and(isNull(cars.deletedAt)))',
      'without isNull(cars.deletedAt)',
    ])
  })

  test('of SQL of our own too', () => {
    expect(
      found(
        'const find = sql`select 1 from a join b on b.id = a.id where a.id = $1 and a.gone is null or (b.x and b.y)`',
      ),
    ).toEqual(['without a.gone is null', 'without (b.x and b.y)', 'without b.x', 'without b.y'])
    expect(found('const is = sql<boolean>`verified_at is not null`')).toEqual([
      'always true: verified_at is not null',
      'always false: verified_at is not null',
    ])
  })

  test('between two values count as one, and so does a comparison with a nullable value', () => {
    const texts = conjunctsOf("where a between 1 and 2 and b is distinct from c and d = 'x and y'").map(
      ({ text }) => text,
    )
    expect(texts).toEqual(['a between 1 and 2', 'b is distinct from c', "d = 'x and y'"])
    const cases = conjunctsOf('where a is null and case when b = 1 then c else d end')
    expect(cases.map(({ text }) => text)).toEqual(['a is null', 'b = 1'])
  })
})

describe('a guard that is removed', () => {
  const path = 'contract/kit/dates.ts'
  const source = readSource(path)
  const place = source.places.find(({ node }) => node.type === 'Literal' && node.raw === '3_600_000')
  const instead = (text: string): Guard => {
    if (!place) throw new Error(`${path} has no such number`)
    return guardOf('by hand', source, { place, what: text, instead: text })
  }
  const asked = [{ file: 'contract/kit/dates.test.ts' }, { file: 'contract/deals/rules.test.ts' }]

  test('is noticed where a test depends on it, and nothing is written', async () => {
    expect(await tryGuard(laboratory, instead('3_500_000'), asked, () => {})).toMatchObject({
      by: 'contract/kit/dates.test.ts',
      test: 'a span reads in the two largest units that matter',
    })
    expect(readSource(path).text).toBe(source.text)
  })

  test('is reported where no test depends on it', async () => {
    expect(await tryGuard(laboratory, instead('1_800_000 * 2'), asked, () => {})).toEqual({
      by: null,
      test: null,
    })
  })

  test('a file of tests that does not load it notices nothing, whatever it says', async () => {
    const { failed, reached } = await laboratory.run(instead('0'), { file: 'contract/kit/vin.test.ts' })
    expect([failed, reached]).toEqual([null, false])
  })
})

test('of a table of moves every cell is changed: who, from where, to where, and what it needs', () => {
  const moves = sourceOf(
    'contract/deals/rules.ts',
    `const moves = [
      { name: 'sell', by: 'SELLER', from: ['NEW', 'OLD'], to: 'SOLD', needs: {} },
      { name: 'buy', by: 'BUYER', from: ['SOLD'], to: 'OLD', needs: { paid: true } },
      { name: 'give', by: 'BUYER', from: ['OLD'], to: 'SOLD', needs: {} },
    ]`,
  )
  expect(cell.find(moves).map(({ what }) => what)).toEqual([
    "[0].name 'sell' -> 'buy'",
    "[0].by 'SELLER' -> 'BUYER'",
    "[0].from ['NEW', 'OLD'] and 'SOLD'",
    "[0].from[0] 'NEW' -> ...[]",
    "[0].from[1] 'OLD' -> ...[]",
    "[0].to 'SOLD' -> 'OLD'",
    '[0].needs and paid: true',
    '[0].needs and paid: false',
    "[1].name 'buy' -> 'sell'",
    "[1].by 'BUYER' -> 'SELLER'",
    "[1].from ['SOLD'] and 'OLD'",
    "[1].from[0] 'SOLD' -> ...[]",
    "[1].to 'OLD' -> 'SOLD'",
    '[1].needs without paid',
    '[1].needs.paid true -> false',
    "[2].name 'give' -> 'sell'",
    "[2].by 'BUYER' -> 'SELLER'",
    "[2].from ['OLD'] and 'NEW'",
    "[2].from ['OLD'] and 'SOLD'",
    "[2].from[0] 'OLD' -> ...[]",
    "[2].to 'SOLD' -> 'OLD'",
    '[2].needs and paid: true',
    '[2].needs and paid: false',
  ])
})

describe('the map of what tests reach', () => {
  const [table] = ofKind('cell').filter(
    ({ path, within }) => path === 'contract/trades/rules.ts' && within === 'tradeMoves',
  )
  const [condition] = ofKind('condition').filter(({ within }) => within === 'lockTrade')
  const calls = (name: string) => ({ id: name, name, ms: 10, passed: true, calls: [name] })
  const draw = (tests: Record<string, string[]>): Reach =>
    Object.fromEntries(
      Object.entries(tests).map(([file, names]) => [
        file,
        { ms: 100, calls: [], tests: names.map(calls), key: '' },
      ]),
    )

  test('asks only the tests that run the function of a guard, and what is beside it first', () => {
    const reach = draw({
      'server/deals/races.test.ts': ['contract/trades/rules.ts movesOpen:1', 'another'],
      'contract/trades/rules.test.ts': ['contract/trades/rules.ts movesOpen:1'],
      'contract/kit/dates.test.ts': ['another'],
    })
    const asked = table ? reachingOf(table, reach) : []
    expect(asked.map(({ file, tests }) => [file, tests])).toEqual([
      // Whole, because it also reads the table itself.
      ['contract/trades/rules.test.ts', undefined],
      ['server/deals/races.test.ts', ['contract/trades/rules.ts movesOpen:1']],
    ])
  })

  test('the tests of all calls are asked about whom a call is open to, though they name none', () => {
    const [open] = ofKind('who').filter(({ path }) => path === 'contract/cars/calls.ts')
    const asked = open ? reachingOf(open, draw({ 'contract/calls.test.ts': ['every call'] })) : []
    expect(asked.map(({ file, tests }) => [file, tests])).toEqual([['contract/calls.test.ts', undefined]])
  })

  test('a prepared query is run by whoever calls it, though it is built but once', () => {
    const reach = draw({
      'server/trades/moving.test.ts': ['server/trades/actions.ts moveTrade:2'],
      'server/trades/reading.test.ts': ['server/trades/reading.ts allTrades:1'],
    })
    const asked = condition ? reachingOf(condition, reach) : []
    expect(asked.map(({ file }) => file)).toEqual(['server/trades/moving.test.ts'])
  })

  test('a part of prepared queries is run by whoever calls one of them, though a function makes it', () => {
    const [signed] = ofKind('condition').filter(({ within }) => within === 'hasSigned')
    const reach = draw({
      'server/deals/financing.test.ts': ['server/deals/states.ts hasSigned:1'],
      'server/deals/requests.test.ts': ['server/deals/reading.ts carsOf:1'],
      'server/deals/wizard.test.ts': ['another'],
    })
    const asked = signed ? reachingOf(signed, reach) : []
    expect(asked.map(({ file }) => file).sort()).toEqual([
      'server/deals/financing.test.ts',
      'server/deals/requests.test.ts',
    ])
  })

  test('a test that reads a part of a query itself is asked whole, whatever its file calls besides', () => {
    const [standing] = ofKind('condition').filter(({ within }) => within === 'isStanding')
    const file = 'server/deals/states.test.ts'
    const reach = draw({ [file]: ['server/deals/reading.ts findDeal:1', 'another'] })
    const asked = standing ? reachingOf(standing, reach) : []
    expect(asked.map((one) => [one.file, one.tests])).toEqual([[file, undefined]])
  })

  test('marks stand in every function, and change no line', () => {
    const text = `const a = (x: number) => ({ x })\nasync function b() {\n  return [1].map((y) => y)\n}`
    const source = sourceOf('server/deals/store.ts', text)
    const noted = marked(source)
    expect(() => assertReadable(noted)).not.toThrow()
    expect(noted.split('\n')).toHaveLength(text.split('\n').length)
    expect(noted.match(/reached\?\.add\("[^"]+"\)/g)).toEqual(
      ['a:1', 'b:1', 'b:2'].map((name) => `reached?.add("server/deals/store.ts ${name}")`),
    )
    expect(functionAt(source, text.indexOf('y)'))?.name).toBe('server/deals/store.ts b:2')
  })
})
