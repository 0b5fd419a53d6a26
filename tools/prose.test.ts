import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Comments and docs use the field's words (docs/glossary.md), and docs name existing files.

const root = resolve(import.meta.dirname, '..')
const metaphors = 'houses?|rooms?|floors?|homes?|doors?|neighbou?rs?|lanes?|ground|crew|town|stor(y|ies)'
const replaced = 'refusals?|standing|workbench|anew|mailed|patiently|in hand|hand(s|ed|ing)? in|of ours'
const pronouns = 'whoever|whomever|asker|lookers|of its own accord'
const banned = new RegExp(`\\b(${metaphors}|${replaced}|${pronouns})\\b`, 'i')
/** The path and the shell variable named home, a device's home screen, and titles of tests. */
const allowed = /\/home\b|home[ -](screen|dir)|\$HOME|“.+?”/gi

const folders = ['contract', 'server', 'web', 'tests', 'bench', 'tools', 'docs', 'operations', 'examples']
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .concat('README.md', 'Dockerfile', 'compose.yaml', '.env.example')
  .filter((path) => /\.(tsx?|mjs|css|cfg|conf|ini|ya?ml|service|example|md)$|Dockerfile$/.test(path))
  .filter((path) => !/node_modules|\/dist\/|contract\/frozen|tools\/prose/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const isPage = (path: string) => path.endsWith('.md')
const isComment = (line: string) => /^\s*(\/\/|\/?\*|#|;)/.test(line)

test('uses no banned words in comments and docs', () => {
  const found = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, at) => ({ line, place: `${path}:${at + 1} ${line.trim()}` }))
      .filter(({ line }) => (isPage(path) || isComment(line)) && banned.test(line.replace(allowed, ''))),
  )
  expect(found.map(({ place }) => place)).toEqual([])
})

test('docs name existing files', () => {
  const inFolder = new RegExp(`\`((?:${folders.join('|')})/[\\w@./-]+)\``, 'g')
  const named = files
    // Its tasks create files; `how-to.test.ts` checks it.
    .filter(({ path }) => isPage(path) && path !== 'docs/how-to.md')
    .flatMap(({ path, text }) => [
      ...[...text.matchAll(inFolder)].map(([, file = '']) => file),
      ...[...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        posix.join(posix.dirname(path), link),
      ),
    ])
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
