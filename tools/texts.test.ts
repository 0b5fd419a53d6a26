import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const sources = ['contract', 'server', 'web']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|node_modules|^contract\/frozen/.test(path))
const textFiles = sources.filter((path) => /texts\.ts$|^contract\/shared\/fields\.ts$/.test(path))

/** Counts the words in all sources, except in comments and in strings with spaces. */
const occurrences = new Map<string, number>()
for (const path of sources) {
  const code = readFileSync(join(root, path), 'utf8').replace(
    /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(['"])[^'"\n]* [^\n]*?\1(?=,?$)/gm,
    '',
  )
  for (const [word] of code.matchAll(/\w+/g)) occurrences.set(word, (occurrences.get(word) ?? 0) + 1)
}

const groups = new Set<object>()
for (const path of textFiles)
  for (const value of Object.values(await import(join(root, path)))) collectGroups(value)

function collectGroups(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return
  groups.add(value)
  for (const inner of Object.values(value)) collectGroups(inner)
}
const keys = [...groups].flatMap((group) => Object.keys(group)).filter((key) => /^\w+$/.test(key))

test('finds texts to check', () => {
  expect(textFiles.length).toBeGreaterThan(8)
  expect(keys.length).toBeGreaterThan(700)
})

// Does not find an unused text if its key has another use.
test('uses every text', () => {
  const declared = (key: string) => keys.filter((one) => one === key).length
  expect(keys.filter((key) => (occurrences.get(key) ?? 0) <= declared(key))).toEqual([])
})
