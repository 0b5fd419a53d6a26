import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Words that docs/glossary.md replaces.

const root = resolve(import.meta.dirname, '..')
const banned =
  /\b(whoever|whomever|of ours|of its own accord|hand(s|ed|ing)? in|neighbou?rs?|refusals?|asker|lookers|the house|front door|floors? of|rooms?|lanes?|crew)\b/i

/** Pixels of a picture have neighbors. */
const allowed = [/pixel runs into its neighbors|mean of the neighbors/]

/** Decisions, rules and pages that are not rewritten yet. */
const isExempt = (path: string) =>
  /^docs\/(decisions|rules)\/|^docs\/(operations|production|scaling)\.md$/.test(path)

const paths = ['contract', 'server', 'web', 'tests', 'bench', 'tools', 'docs'].flatMap((home) =>
  readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((path) => `${home}/${path}`),
)
const sources = paths.filter(
  (path) =>
    /\.(tsx?|mjs)$/.test(path) && !/node_modules|contract\/frozen|tools\/prose/.test(path) && !isExempt(path),
)
const pages = paths.filter((path) => path.endsWith('.md') && !/node_modules/.test(path) && !isExempt(path))

const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line)

test('uses no banned words in comments and docs', () => {
  const lines = [
    ...sources.flatMap((path) => linesOf(path).filter(({ text }) => isComment(text))),
    ...pages.flatMap(linesOf),
  ]
  const found = lines.filter(({ text }) => banned.test(text) && !allowed.some((one) => one.test(text)))
  expect(found.map(({ path, number, text }) => `${path}:${number} ${text.trim()}`)).toEqual([])
})

function linesOf(path: string) {
  const text = readFileSync(join(root, path), 'utf8')
  return text.split('\n').map((line, i) => ({ path, number: i + 1, text: line }))
}
