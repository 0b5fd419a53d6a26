import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pages = readdirSync(join(root, 'docs/rules'))
  .filter((name) => name !== 'README.md')
  .map((name) => ({ page: name.replace('.md', ''), text: unwrapped(read(`docs/rules/${name}`)) }))
const index = read('docs/rules/README.md')

type Rule = { id: string; text: string }
const rulesOf = (page: string): Rule[] =>
  page
    .split(/^#+ /m)
    .map((piece) => /^(R-\S+)\n(.*)$/s.exec(piece) ?? [])
    .flatMap(([, id, text]) => (id && text ? { id, text } : []))
const rules = pages.flatMap(({ text }) => rulesOf(text))
const isTested = ({ text }: Rule) => !text.includes('\n_Not tested:_ ')

const filesIn = (...folders: string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
const sources = filesIn('contract', 'server', 'web', 'tests', 'bench', 'tools')
  .filter(
    (path) => /\.(tsx?|mjs|sql|css|html)$/.test(path) && !/node_modules|\/dist\/|tools\/rules/.test(path),
  )
  .map((path) => ({ path, text: read(path) }))

const cited = (text: string) => text.match(/\bR-[a-z]+-\d+\b/g) ?? []
const ids = new Set(rules.map(({ id }) => id))

test('finds rules to check', () => {
  expect(rules.length).toBeGreaterThan(150)
  expect(sources.flatMap(({ text }) => cited(text)).length).toBeGreaterThan(300)
})

describe('the rules', () => {
  test('number each page from 1, without gaps or duplicates', () => {
    for (const { page, text } of pages) {
      const numbered = rulesOf(text).map(({ id }) => id)
      expect(numbered).toEqual(numbered.map((_, at) => `R-${page}-${at + 1}`))
      expect(text.match(/^### /gm)?.length).toBe(numbered.length)
    }
  })

  test('state what holds, why, and the source', () => {
    const whole = /^\n[A-Z'`].+\.\n_Why:_ .+\.\n_From:_ .+\.\n(_Held by:_ .+\.\n)?(_Not tested:_ .+\.\n)?\n*$/
    expect(rules.filter(({ text }) => !whole.test(text)).map(({ id }) => id)).toEqual([])
  })

  test('list every page in the index, and no other', () => {
    const listed = [...index.matchAll(/^\| \[([\w-]+)\.md\]\(\1\.md\)/gm)].map(([, page]) => page)
    expect(listed.sort()).toEqual(pages.map(({ page }) => page).sort())
  })

  test('include the twenty invariants', () => {
    expect(rules.filter(({ id }) => id.startsWith('R-safe-')).length).toBe(20)
  })
})

test('cites only existing rules', () => {
  const docs = ['README.md', ...filesIn('docs')]
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: read(path) }))
  const unknown = [...sources, ...docs].flatMap(({ path, text }) =>
    cited(text)
      .filter((id) => !ids.has(id))
      .map((id) => `${path}: ${id}`),
  )
  expect(unknown).toEqual([])
})

describe('a rule has a test', () => {
  const tests = sources.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path))
  const held = new Set(tests.flatMap(({ text }) => cited(text)))

  test('that cites it', () => {
    expect(rules.filter((rule) => isTested(rule) && !held.has(rule.id)).map(({ id }) => id)).toEqual([])
  })

  test('that exists and cites it, for each of the twenty invariants', () => {
    for (const { id, text } of rules.filter((rule) => rule.id.startsWith('R-safe-'))) {
      const named = [...text.matchAll(/\[(\S+)\]\(\.\.\/\.\.\/(\S+)\) (“.+?”(?:, “.+?”)*)[;.]/g)]
      expect(named.length, id).toBeGreaterThan(0)
      expect(named.length, id).toBe(text.match(/\]\(/g)?.length)
      for (const [, shown, path = '', titles = ''] of named) {
        expect(shown).toBe(path)
        const found = tests.find((one) => one.path === path)
        for (const [, title] of titles.matchAll(/“(.+?)”/g)) expect(found?.text, id).toContain(`'${title}'`)
        expect(cited(found?.text ?? ''), path).toContain(id)
      }
    }
  })

  test('or states why it cannot', () => {
    const few = [...index.matchAll(/^- (R-\S+)$/gm)].map(([, id]) => id)
    const untested = rules.filter((rule) => !isTested(rule)).map(({ id }) => id)
    expect(untested.sort()).toEqual(few.sort())
    expect(few.length).toBeLessThanOrEqual(5)
    // Once a test cites the rule, its mark must be removed.
    expect(untested.filter((id) => held.has(id))).toEqual([])
    expect(untested.filter((id) => id.startsWith('R-safe-'))).toEqual([])
  })
})

/** Joins the wrapped lines of each paragraph; a part of a rule such as `_Why:_` begins a line. */
function unwrapped(page: string): string {
  return page.replace(/(?<!\n)\n(?![\n_#|-]|$)/g, ' ')
}
