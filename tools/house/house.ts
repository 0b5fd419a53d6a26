import { assemblers } from './known.ts'
import { type Import, isTest, type Source, sourceOf, type Tree } from './sources.ts'

export const rooms = ['notifications', 'accounts', 'cars', 'trades', 'deals']

export type House = { tree: Tree; sources: readonly Source[]; imports: readonly Import[] }

/** The product's sources, without tests and what only tests and tools use. */
export function houseOf(tree: Tree): House {
  const sources = [...tree].filter(([path]) => isProduct(path)).map(([path, text]) => sourceOf(path, text))
  return { tree, sources, imports: sources.flatMap((source) => source.imports) }
}

const isProduct = (path: string) =>
  /^(contract|server|web)\/.*\.tsx?$/.test(path) &&
  !isTest(path) &&
  !/^server\/(test|bench|faults)\/|\.d\.ts$/.test(path)

export const homeOf = (path: string) => path.split('/')[0] ?? ''
export const roomOf = (path: string): string | undefined =>
  /^(contract|server|web)\//.test(path) ? rooms.find((room) => path.split('/')[1] === room) : undefined
export const isAssembler = (path: string) => assemblers.some((pattern) => pattern.test(path))
export const isTables = (path: string) => /^server\/[\w-]+\/tables\.ts$/.test(path)
