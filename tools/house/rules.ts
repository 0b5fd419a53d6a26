import { posix } from 'node:path'
import { misplacedCalls } from './calls.ts'
import { type House, homeOf, isAssembler, isTables, roomOf, rooms } from './house.ts'
import {
  assemblers,
  environmentReaders,
  guests,
  knownStatusReaders,
  knownToFloors,
  loadersOfTheBuild,
} from './known.ts'
import { type Import, isTest, type Node, type Tree } from './sources.ts'
import { foreignNames, foreignWrites } from './tables.ts'

const mostFiles = 25

/** `number` as in docs/house.md; what it finds reads `who -> what`. */
export type Rule = { number: string; promise: string; breaches: (house: House) => string[] }

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
    const [room, other] = [roomOf(from), roomOf(to)]
    if (!room || !other || isAssembler(from) || isTables(to)) return false
    return rooms.indexOf(other) > rooms.indexOf(room)
  }),
  {
    number: '2',
    promise: 'floors know no room',
    breaches: (house) => floorsThatKnow(house).filter((one) => !knownToFloors.includes(one)),
  },
  importRule(
    '2',
    'nobody leans on what puts the rooms together',
    ({ from, to }) => isAssembler(to) && !isAssembler(from),
  ),
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
    ({ from, to }) => /^contract\/.*\/(rules|stages|tax)\.ts$/.test(from) && /\/(calls|shapes)\.ts$/.test(to),
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
    breaches: (house) => unreadableImports(house).filter((one) => !loadersOfTheBuild.includes(one)),
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
    number: 'codes',
    promise: 'a screen asks for the code of a refusal, which its call declares, and not for its status',
    breaches: (house) => statusReaders(house).filter((path) => !knownStatusReaders.includes(path)),
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
    ...loadersOfTheBuild.filter((loader) => !unreadableImports(house).includes(loader)),
    ...knownStatusReaders.filter((path) => !statusReaders(house).includes(path)),
    ...environmentReaders.filter((path) => !readers.includes(path)),
    ...assemblers.filter((pattern) => !house.sources.some(({ path }) => pattern.test(path))).map(String),
  ]
}

const unreadableImports = ({ sources }: House): string[] => sources.flatMap(({ unreadable }) => unreadable)

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

/** What statuses mean is decided in `web/wire`. */
const statusReaders = ({ sources }: House): string[] =>
  sources
    .filter(({ path, nodes }) => /^web\/(?!wire\/)/.test(path) && nodes.some(isAskingForStatus))
    .map(({ path }) => path)

const isAskingForStatus = (node: Node): boolean =>
  node.type === 'BinaryExpression' &&
  [node.left, node.right].some(isStatus) &&
  [node.left, node.right].some((side) => side.type === 'Literal' && typeof side.value === 'number')

const isStatus = (node: Node): boolean => {
  const read = node.type === 'ChainExpression' ? node.expression : node
  const name = read.type === 'MemberExpression' ? read.property : read
  return name.type === 'Identifier' && name.name === 'status'
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
