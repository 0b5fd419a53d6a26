import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const rooms = ['notifications', 'accounts', 'cars', 'trades', 'deals'] as const
type Room = (typeof rooms)[number]
type Import = { from: string; to: string }

/** The places that put the rooms together. */
const assemblers = new Set([
  'contract/calls.ts',
  'contract/refusals.ts',
  'server/app.ts',
  'server/main.ts',
  'server/deps.ts',
  'web/app.tsx',
  'web/main.tsx',
  'web/who/session.tsx',
  'web/who/signed-in.tsx',
  'web/who/settings-screen.tsx',
])

/** What floors know of the rooms' contract all the same (docs/house.md says why). */
const knownToFloors = [
  /^server\/http\/who\.ts -> contract\/accounts\/rules\.ts$/,
  /^server\/outside\/tax-rates\.ts -> contract\/trades\/(tax|texts)\.ts$/,
  /^web\/who\/administrator\.ts -> contract\/accounts\/calls\.ts$/,
  /^web\/wire\/live\.ts -> contract\/notifications\/(calls|rules)\.ts$/,
  /^web\/pages\/[\w-]+\.tsx -> contract\/accounts\/page-texts\.ts$/,
]

/** Who writes what another room owns (docs/house.md says why). */
const guests = ['server/deals/store.ts -> cars']

const files = ['contract', 'server', 'web']
  .flatMap((home) =>
    readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((path) => `${home}/${path}`),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      !/\.test\.tsx?$|^server\/(test|bench|faults)\/|node_modules|\.d\.ts$|\/dist\//.test(path),
  )

const imports: Import[] = files.flatMap((from) =>
  [...readFileSync(join(root, from), 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(
    ([, name = '']) => ({
      from,
      to: name.startsWith('.')
        ? relative(root, resolve(root, dirname(from), name)).replaceAll('\\', '/')
        : name.replace(/^@keyturn\//, ''),
    }),
  ),
)

const homeOf = (path: string) => path.split('/')[0]
const roomOf = (path: string): Room | undefined =>
  rooms.find((room) => /^(contract|server|web)\//.test(path) && path.split('/')[1] === room)
const say = ({ from, to }: Import) => `${from} -> ${to}`
const broken = (isBroken: (one: Import) => boolean) => imports.filter(isBroken).map(say)

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(imports.length).toBeGreaterThan(300)
})

test('the contract imports zod and itself only', () => {
  expect(
    broken(({ from, to }) => homeOf(from) === 'contract' && homeOf(to) !== 'contract' && to !== 'zod'),
  ).toEqual([])
})

test('server and web never meet', () => {
  const meets = ({ from, to }: Import) =>
    (homeOf(from) === 'server' && homeOf(to) === 'web') || (homeOf(from) === 'web' && homeOf(to) === 'server')
  expect(broken(meets)).toEqual([])
})

test('rooms lean on rooms below them, never above', () => {
  const climbs = ({ from, to }: Import) => {
    const [above, below] = [roomOf(from), roomOf(to)]
    if (!above || !below || assemblers.has(from) || isTableRead(from, to)) return false
    return rooms.indexOf(below) > rooms.indexOf(above)
  }
  expect(broken(climbs)).toEqual([])
})

test('floors know no room', () => {
  const knows = ({ from, to }: Import) => !roomOf(from) && roomOf(to) !== undefined && !isAssembler(from)
  const unknown = broken(knows).filter((one) => !knownToFloors.some((known) => known.test(one)))
  expect(unknown).toEqual([])
  for (const known of knownToFloors) expect(broken(knows)).toContainEqual(expect.stringMatching(known))
})

test("a room's tables are written by nobody else", () => {
  const tables = files.filter((path) => /^server\/\w+\/tables\.ts$/.test(path)).flatMap(tablesIn)
  expect(tables.length).toBeGreaterThan(15)
  const written = files
    .filter((path) => homeOf(path) === 'server' && !isAssembler(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return tables
        .filter(({ room }) => room !== roomOf(path))
        .filter(({ table, value }) => writes(text, table, value))
        .map(({ table }) => `${path} -> ${table}`)
    })
  expect(written.sort()).toEqual(guests.toSorted())
})

test('rooms of the server meet at the front door only', () => {
  const usesBackDoor = ({ from, to }: Import) => {
    if (homeOf(from) !== 'server' || homeOf(to) !== 'server' || assemblers.has(from)) return false
    const [one, other] = [roomOf(from), roomOf(to)]
    if (!one || !other || one === other || isTableRead(from, to)) return false
    return !to.endsWith('/actions.ts')
  }
  expect(broken(usesBackDoor)).toEqual([])
})

test('rooms of the web meet at the front door only', () => {
  const usesBackDoor = ({ from, to }: Import) => {
    if (homeOf(from) !== 'web' || homeOf(to) !== 'web' || assemblers.has(from)) return false
    const [one, other] = [roomOf(from), roomOf(to)]
    return one !== undefined && other !== undefined && one !== other && !isFrontDoorOfWeb(to)
  }
  expect(broken(usesBackDoor)).toEqual([])
})

test('stores know no rules, rules know no calls', () => {
  const storeDecides = ({ from, to }: Import) =>
    /(\/|-)(store|views)\.ts$/.test(from) &&
    /contract\/.*\/(rules|stages)\.ts$/.test(to) &&
    !isTypeOnly(from, to)
  const ruleCalls = ({ from, to }: Import) =>
    /contract\/.*\/(rules|stages|tax)\.ts$/.test(from) && /\/calls\.ts$/.test(to)
  expect(broken((one) => storeDecides(one) || ruleCalls(one))).toEqual([])
})

test('only config.ts reads the environment', () => {
  const readers = files.filter(
    (path) => /process\.env/.test(readFileSync(join(root, path), 'utf8')) && path !== 'server/config.ts',
  )
  // main.ts hands the environment to it.
  expect(readers).toEqual(['server/main.ts'])
})

/** The demo people and the administrator's cards are many files, and stand above the rooms they put together. */
function isAssembler(path: string): boolean {
  return assemblers.has(path) || /^(server\/seed|web\/administrator)\//.test(path)
}

function tablesIn(path: string) {
  const found = readFileSync(join(root, path), 'utf8').matchAll(
    /const (\w+) = pgTable\(\s*['`](?:\$\{\w+\})?(\w+)['`]/g,
  )
  return [...found].map(([, value = '', table = '']) => ({ room: roomOf(path), table, value }))
}

/** By the query builder, whatever the table is called in this file, or in SQL of its own. */
function writes(text: string, table: string, value: string): boolean {
  const [, alias = value] = new RegExp(`\\b${value} as (\\w+)`).exec(text) ?? []
  return (
    new RegExp(`\\.(insert|update|delete)\\(${alias}\\)`).test(text) ||
    new RegExp(`\\b(insert into|update|delete from) (${table}\\b|\\$\\{${alias}\\})`).test(text)
  )
}

/** By its name, or because its first line says for whom else it is there. */
function isFrontDoorOfWeb(path: string): boolean {
  return (
    /\/(queries\.ts|[\w-]+-(form|card)\.tsx)$/.test(path) ||
    readFileSync(join(root, path), 'utf8').startsWith('// Also for ')
  )
}

/** A room's tables may be read in anyone's join. */
function isTableRead(_from: string, to: string): boolean {
  return /^server\/\w+\/tables\.ts$/.test(to)
}

function isTypeOnly(from: string, to: string): boolean {
  const text = readFileSync(join(root, from), 'utf8')
  return new RegExp(`import type [^;]*?'@keyturn/${to.replaceAll('/', '\\/')}'`).test(text)
}
