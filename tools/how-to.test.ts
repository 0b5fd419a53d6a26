import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/how-to.md'), 'utf8')
const tasks = page.split(/^## /m).slice(1)
const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', '.git'].includes(name))
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? filesUnder(path) : [path]
    })
const tree = filesUnder('.')

type FileName = { path: string; isNew: boolean }

/** Returns the files in backticks. A file that the change creates is followed by `(new`. */
const filesIn = (text: string): FileName[] =>
  [...text.matchAll(/`((?:[\w.<>-]+\/)*[\w.<>-]*\.(?:tsx?|mjs|sql|md|txt|css|example))`( \(new\b)?/g)].map(
    ([, path = '', isNew]) => ({ path, isNew: isNew !== undefined }),
  )

/** Matches a path, or a file name alone. `<newest>` matches any version. */
const exists = (path: string): boolean =>
  path.includes('/') || path.startsWith('.') || path === 'README.md'
    ? tree.some((file) => matches(path, file))
    : tree.some((file) => posix.basename(file) === path)

function matches(path: string, file: string): boolean {
  const [before = '', after] = path.split('<newest>')
  return after === undefined ? file === path : file.startsWith(before) && file.endsWith(after)
}

test('finds tasks to check', () => {
  expect(tasks.length).toBe(10)
  expect(filesIn(page).filter(({ isNew }) => isNew).length).toBeGreaterThan(4)
  expect(filesIn(page).length).toBeGreaterThan(80)
})

describe.each(tasks.map((text) => ({ name: text.split('\n')[0], text })))('$name', ({ text }) => {
  test('names existing files, and marks all others as new', () => {
    const wrong = filesIn(text).filter(({ path, isNew }) => exists(path) === isNew)
    expect(wrong).toEqual([])
  })

  test('lists at most twelve files, and none twice', () => {
    const files = [...text.matchAll(/^\| (`[^|]*)/gm)].flatMap(([, cell = '']) => filesIn(cell))
    expect(files.length).toBeGreaterThan(2)
    expect(files.length).toBeLessThanOrEqual(12)
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
    expect(files.filter(({ isNew }) => isNew)).toEqual([])
  })
})
