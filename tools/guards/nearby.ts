import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Guard } from './guard.ts'
import { productFiles, root } from './source.ts'

/** Tests across all rooms, about what every call has in common. */
const general = [
  'server/test/strangers.test.ts',
  'server/http/cross-site.test.ts',
  'server/db/tables.test.ts',
]

/** For each room, the other rooms whose tests use it, nearest first. */
const above: Record<string, readonly string[]> = {
  notifications: ['deals'],
  limits: ['accounts', 'http'],
  mail: ['accounts'],
  accounts: ['limits', 'mail', 'http'],
  cars: ['deals'],
  trades: ['deals'],
  deals: [],
  http: ['accounts'],
  outside: ['trades', 'cars'],
  db: ['http', 'notifications', 'trades', 'accounts', 'deals'],
}

const textOf = new Map<string, string>()
function read(path: string): string {
  const known = textOf.get(path) ?? readFileSync(join(root, path), 'utf8')
  textOf.set(path, known)
  return known
}

function roomOf({ path, within, sql }: Guard): string {
  if (sql.length === 0) return path.split('/').at(1) === 'kit' ? 'kit' : (path.split('/').at(1) ?? '')
  return roomOfTable[within] ?? 'accounts'
}

const roomOfTable: Record<string, string> = {
  cars: 'cars',
  vin_answers: 'cars',
  trades: 'trades',
  trade_events: 'trades',
  deals: 'deals',
  deal_trades: 'deals',
  deal_events: 'deals',
  signatures: 'deals',
  packages: 'deals',
  notifications: 'notifications',
  notification_reads: 'notifications',
  idempotency_keys: 'http',
  jobs: 'http',
}

/** Smaller is nearer: where a test stands, and what it mentions, says how likely it is to notice. */
export function nearnessOf(guard: Guard, path: string): number {
  const room = roomOf(guard)
  const [home, testRoom = ''] = path.split('/')
  const name = basename(path).replace(/(\.pure)?\.test\.ts$/, '')
  if (guard.sql.length > 0 && path === 'server/db/invariants.test.ts') return 0
  if (guard.path.startsWith('contract/')) {
    if (guard.kind === 'who' && path === 'contract/calls.test.ts') return 0
    if (guard.kind === 'limit' && path === 'contract/limits.test.ts') return 0
    if (home === 'contract') return testRoom === room ? (name === basename(guard.path, '.ts') ? 0 : 1) : 5
  } else if (home === 'contract') return 50
  if (isAbout(path, guard)) return 0
  if (name === basename(guard.path, '.ts') && testRoom === room) return 1
  if (isMadeFor(path, guard)) return 1
  if (guard.kind === 'limit' && path === 'server/limits/account-limits.test.ts') return 2
  if (usersOf(guard).has(name) && testRoom === room) return 2
  if (path === 'server/test/strangers.test.ts') return /who\.ts/.test(guard.path) ? 1 : 3
  if (general.includes(path)) return 20
  if (usersOfUsers(guard).has(name) && testRoom === room) return 4
  if (read(path).includes(guard.within)) return 8
  if (testRoom === room || room === 'kit' || room === 'app.ts' || room === 'jobs') return 10
  if (usersOf(guard).has(name)) return 12
  const place = above[room]?.indexOf(testRoom) ?? -1
  return place < 0 ? 50 : 30 + place
}

/** Whether the test names the refusal that would be missing. */
function isAbout(path: string, { kind, id }: Guard): boolean {
  const [, code] = /: (\w+) in spite of /.exec(id) ?? []
  return kind === 'refusal' && code !== undefined && code !== 'Error' && read(path).includes(`'${code}'`)
}

/** Whether the test is beside the guard's file and imports it. */
const isMadeFor = (path: string, guard: Guard): boolean =>
  dirname(path) === dirname(guard.path) && read(path).includes(`'./${basename(guard.path)}'`)

/** Also the users of the users: a store is used by actions, and these by others whose tests reach it too. */
const usersOfUsers = (guard: Guard): Set<string> =>
  new Set([...usersOf(guard)].flatMap((name) => [...importersOf(name)]))

const importers = new Map<string, Set<string>>()
function importersOf(name: string): Set<string> {
  const known =
    importers.get(name) ??
    new Set(
      productFiles(/^server\//)
        .filter((file) => read(file).includes(`/${name}.ts'`))
        .map((file) => basename(file, '.ts')),
    )
  importers.set(name, known)
  return known
}

const users = new Map<string, Set<string>>()
/** Files that mention the declaration with the guard: their tests are likely to reach it. */
function usersOf({ within, path }: Guard): Set<string> {
  const key = `${path} ${within}`
  const known =
    users.get(key) ??
    new Set(
      productFiles(/^server\//)
        .filter((file) => file !== path && new RegExp(`\\b${within}\\b`).test(read(file)))
        .map((file) => basename(file, '.ts')),
    )
  users.set(key, known)
  return known
}
