import { posix } from 'node:path'
import { assemblers, environmentReaders, guests, knownToFloors, ownersWithoutView } from './known.ts'
import { type Import, isTest, type Node, type Source, sourceOf, type Tree } from './sources.ts'

const rooms = ['notifications', 'accounts', 'cars', 'trades', 'deals']
const mostFiles = 25

export type House = { tree: Tree; sources: readonly Source[]; imports: readonly Import[] }
/** `number` as in docs/house.md; what it finds reads `who -> what`. */
export type Rule = { number: string; promise: string; breaches: (house: House) => string[] }

/** The product's sources, without tests and what only tests and tools use. */
export function houseOf(tree: Tree): House {
  const sources = [...tree].filter(([path]) => isProduct(path)).map(([path, text]) => sourceOf(path, text))
  return { tree, sources, imports: sources.flatMap((source) => source.imports) }
}

const isProduct = (path: string) =>
  /^(contract|server|web)\/.*\.tsx?$/.test(path) &&
  !isTest(path) &&
  !/^server\/(test|bench|faults)\/|\.d\.ts$/.test(path)

const homeOf = (path: string) => path.split('/')[0] ?? ''
const roomOf = (path: string): string | undefined =>
  /^(contract|server|web)\//.test(path) ? rooms.find((room) => path.split('/')[1] === room) : undefined
const isAssembler = (path: string) => assemblers.some((pattern) => pattern.test(path))
const isTables = (path: string) => /^server\/[\w-]+\/tables\.ts$/.test(path)
const say = ({ from, to }: Pick<Import, 'from' | 'to'>) => `${from} -> ${to}`
const importRule = (
  number: string,
  promise: string,
  isBroken: (one: Import, house: House) => boolean,
): Rule => ({
  number,
  promise,
  breaches: (house) => house.imports.filter((one) => isBroken(one, house)).map(say),
})

export const rules: readonly Rule[] = [
  importRule(
    '1',
    'the contract imports zod and itself only',
    ({ from, to }) => homeOf(from) === 'contract' && homeOf(to) !== 'contract' && to !== 'zod',
  ),
  importRule('1', 'server and web never meet', ({ from, to }) =>
    ['server web', 'web server'].includes(`${homeOf(from)} ${homeOf(to)}`),
  ),
  importRule('2', 'rooms lean on rooms below them, never above', ({ from, to }) => {
    // The administrator's cards are above all rooms.
    if (to.startsWith('web/administrator/') && !isAssembler(from)) return true
    const [room, other] = [roomOf(from), roomOf(to)]
    if (!room || !other || isAssembler(from) || isTables(to)) return false
    return rooms.indexOf(other) > rooms.indexOf(room)
  }),
  {
    number: '2',
    promise: 'floors know no room',
    breaches: (house) => floorsThatKnow(house).filter((one) => !knownToFloors.includes(one)),
  },
  importRule('3', 'rooms of the server meet at actions.ts and tables.ts only', ({ from, to }) => {
    if (homeOf(from) !== 'server' || homeOf(to) !== 'server' || isAssembler(from)) return false
    const [room, other] = [roomOf(from), roomOf(to)]
    if (!room || !other || room === other) return false
    return !isTables(to) && to !== `server/${other}/actions.ts`
  }),
  {
    number: '3',
    promise: "a room's tables are written by nobody else",
    breaches: (house) => foreignWrites(house).filter((one) => !guests.includes(one)),
  },
  {
    number: '3',
    promise: "whose SQL names another room's table imports its tables.ts",
    breaches: foreignNames,
  },
  importRule('4', 'rooms of the web meet at the front door only', ({ from, to }, house) => {
    if (homeOf(from) !== 'web' || homeOf(to) !== 'web' || isAssembler(from)) return false
    const [room, other] = [roomOf(from), roomOf(to)]
    return room !== undefined && other !== undefined && room !== other && !isFrontDoorOfWeb(to, house)
  }),
  importRule(
    '5',
    'a store imports no rules but their types',
    ({ from, to, typeOnly }) =>
      /(\/|-)(store|views)\.ts$/.test(from) && /^contract\/.*\/(rules|stages)\.ts$/.test(to) && !typeOnly,
  ),
  importRule(
    '5',
    'rules import no calls',
    ({ from, to }) => /^contract\/.*\/(rules|stages|tax)\.ts$/.test(from) && /\/calls\.ts$/.test(to),
  ),
  {
    number: '6',
    promise: 'each call is answered once, in the room that defines it',
    breaches: misplacedCalls,
  },
  importRule(
    '7',
    'only the places that put the rooms together call what takes hooks',
    ({ from, to }) => /^server\/[\w-]+\/routes\.ts$/.test(to) && !isAssembler(from),
  ),
  {
    number: '7',
    promise: 'what is imported can be read',
    breaches: ({ sources }) => sources.flatMap(({ unreadable }) => unreadable),
  },
  {
    number: 'environment',
    promise: 'nobody reads the environment but main.ts, which hands it to config.ts',
    breaches: ({ sources }) =>
      sources
        .filter(({ path }) => !environmentReaders.includes(path))
        .flatMap(({ path, nodes }) => (nodes.some(isEnvironment) ? [`${path} -> process.env`] : [])),
  },
  {
    number: 'size',
    promise: `no folder holds more than ${mostFiles} source files`,
    breaches: ({ tree }) =>
      crowded(sourcePaths(tree)).map(({ folder, count }) => `${folder} -> ${count} files`),
  },
]

/** Entries of `known.ts` that are no longer needed, so that these lists can only shrink. */
export function outdated(house: House): string[] {
  const knows = floorsThatKnow(house)
  const readers = house.sources.filter(({ nodes }) => nodes.some(isEnvironment)).map(({ path }) => path)
  return [
    ...knownToFloors.filter((known) => !knows.includes(known)),
    ...guests.filter((guest) => !foreignWrites(house).includes(guest)),
    ...environmentReaders.filter((path) => !readers.includes(path)),
    ...assemblers.filter((pattern) => !house.sources.some(({ path }) => pattern.test(path))).map(String),
  ]
}

const sourcePaths = (tree: Tree): string[] =>
  [...tree.keys()].filter((path) => !isTest(path) && !/\.d\.m?ts$/.test(path))

function crowded(paths: readonly string[]): { folder: string; count: number }[] {
  const folders = paths.map((path) => posix.dirname(path))
  return [...new Set(folders)]
    .map((folder) => ({ folder, count: folders.filter((one) => one === folder).length }))
    .filter(({ count }) => count > mostFiles)
}

function floorsThatKnow({ imports }: House): string[] {
  const knows = ({ from, to }: Import) => !roomOf(from) && roomOf(to) !== undefined && !isAssembler(from)
  return [...new Set(imports.filter(knows).map(say))]
}

/** A front door by its name, or because its first line says who else uses it. */
const isFrontDoorOfWeb = (path: string, { tree }: House): boolean =>
  /\/(queries\.ts|[\w-]+-(form|card)\.tsx)$/.test(path) || (tree.get(path) ?? '').startsWith('// Also for ')

const isEnvironment = (node: Node): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'process' &&
  ((node.property.type === 'Identifier' && node.property.name === 'env') ||
    (node.property.type === 'Literal' && node.property.value === 'env'))

/** For each table, the server folder that owns it. */
function ownersOf({ sources }: House): Map<string, string> {
  const owners = new Map(Object.entries(ownersWithoutView))
  for (const { path, text } of sources.filter((source) => isTables(source.path))) {
    const prefixes = /\$\{\w+\}/.test(text) ? ['', 'admin_'] : ['']
    for (const [, name = ''] of text.matchAll(/pgTable\(\s*['`](?:\$\{\w+\})?(\w+)['`]/g))
      for (const prefix of prefixes) owners.set(prefix + name, posix.dirname(path))
  }
  return owners
}

const folderOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Writes by the query builder, whatever the table is called in this file, or by raw SQL. */
function foreignWrites(house: House): string[] {
  const owners = ownersOf(house)
  return onServer(house).flatMap((source) => {
    const aliases = foreignTables(source)
    const built = source.nodes.flatMap((node) => {
      const alias = writtenBy(node)
      return alias === null ? [] : (aliases.get(alias) ?? [])
    })
    const inText = sqlIn(source).flatMap((text) => [
      ...namedAfter(/insert into|update|delete from/, text).filter((table) =>
        isForeign(source, table, owners),
      ),
      ...aliasesAfter(/insert into|update|delete from/, text).flatMap((alias) => aliases.get(alias) ?? []),
    ])
    return [...new Set([...built, ...inText])].map((table) => `${source.path} -> ${table}`)
  })
}

/** Other rooms' tables named in SQL text, where no import reveals them. */
function foreignNames(house: House): string[] {
  const owners = ownersOf(house)
  return onServer(house).flatMap((source) => {
    const named = sqlIn(source).flatMap((text) => namedAfter(/(?<!delete )from|join/, text))
    const imported = source.imports.map(({ to }) => to)
    const unseen = named.filter(
      (table) => isForeign(source, table, owners) && !imported.includes(`${owners.get(table)}/tables.ts`),
    )
    return [...new Set(unseen)].map((table) => `${source.path} -> ${table}`)
  })
}

const onServer = ({ sources }: House): readonly Source[] =>
  sources.filter(({ path }) => homeOf(path) === 'server' && !isAssembler(path))

const isForeign = ({ path }: Source, table: string, owners: Map<string, string>): boolean => {
  const owner = owners.get(table)
  return owner !== undefined && owner !== folderOf(path)
}

/** Local names of other rooms' tables: `cars as theirs`, `tables.cars`, `const { sessions } = userSessionTables`. */
function foreignTables(source: Source): Map<string, string> {
  const found = new Map<string, string>()
  for (const { to, names } of source.imports)
    if (isTables(to) && folderOf(to) !== folderOf(source.path))
      for (const { there, here } of names) found.set(here, there === '*' ? here : there)
  for (const node of source.nodes)
    if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern') {
      const init = node.init && rootOf(node.init)
      for (const property of init && found.has(init) ? node.id.properties : [])
        if (property.type === 'Property' && property.value.type === 'Identifier')
          found.set(property.value.name, property.value.name)
    }
  return found
}

/** The first argument of `db.insert(cars)`. */
function writtenBy(node: Node): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null
  const { property } = node.callee
  const [written] = node.arguments
  if (property.type !== 'Identifier' || !written) return null
  return ['insert', 'update', 'delete'].includes(property.name) ? rootOf(written as Node) : null
}

function rootOf(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' ? rootOf(node.object) : null
}

const sqlIn = ({ nodes, text }: Source): string[] =>
  nodes
    .filter(
      (node) =>
        node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string'),
    )
    .map(({ start, end }) => text.slice(start, end))

const after = (words: RegExp, name: string) => new RegExp(`\\b(?:${words.source})\\s+${name}`, 'g')
const namedAfter = (words: RegExp, text: string): string[] =>
  [...text.matchAll(after(words, '"?(?:\\$\\{\\w+\\})?(\\w+)'))].map(([, table = '']) => table)
const aliasesAfter = (words: RegExp, text: string): string[] =>
  [...text.matchAll(after(words, '\\$\\{(\\w+)[^}]*\\}'))].map(([, alias = '']) => alias)

/** Calls that are answered nowhere, in another room, or in more than one place. */
function misplacedCalls(house: House): string[] {
  const answered = house.sources
    .filter(({ path }) => homeOf(path) === 'server')
    .flatMap((source) => source.nodes.flatMap((node) => answeredBy(source, node)))
  const defined = house.sources
    .filter(({ path }) => /^contract\/\w+\/calls\.ts$/.test(path))
    .flatMap((source) => source.nodes.flatMap((node) => definedBy(source, node)))
  const elsewhere = answered
    .filter(({ room, call }) => room !== roomOf(call))
    .map(({ path, call }) => `${path} -> ${call}`)
  const counted = defined
    .map((call) => ({ call, times: answered.filter((one) => one.call === call).length }))
    .filter(({ times }) => times !== 1)
    .map(({ call, times }) => `${call} -> answered ${times} times`)
  return [...elsewhere, ...counted]
}

type Answered = { path: string; room: string | undefined; call: string }

/** `answer(door, calls.addCar, ...)`, and the event stream, which registers its path itself. */
function answeredBy({ path, imports }: Source, node: Node): Answered[] {
  const named = callNamedBy(node)
  if (!named) return []
  const [object, name] = named
  const source = imports.find(
    ({ to, names }) =>
      /^contract\/\w+\/calls\.ts$/.test(to) &&
      names.some(({ there, here }) => there === '*' && here === object),
  )
  return source ? [{ path, room: roomOf(path), call: `${source.to}: ${name}` }] : []
}

function callNamedBy(node: Node): [string, string] | null {
  if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && node.init) {
    const takesPath = node.id.properties.some(
      (one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'path',
    )
    return takesPath ? memberOf(node.init) : null
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'answer')
    return null
  return node.arguments[1] ? memberOf(node.arguments[1] as Node) : null
}

const memberOf = (node: Node): [string, string] | null =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.property.type === 'Identifier'
    ? [node.object.name, node.property.name]
    : null

/** `export const addCar = call('POST /cars/input', ...)`. */
function definedBy({ path }: Source, node: Node): string[] {
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return []
  const init = node.init
  const isCall =
    init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'call'
  return isCall ? [`${path}: ${node.id.name}`] : []
}
