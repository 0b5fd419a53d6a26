import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const sources = ['contract', 'server', 'web']
  .flatMap((home) =>
    readdirSync(join(root, home), { recursive: true, encoding: 'utf8' }).map((path) => `${home}/${path}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|node_modules/.test(path))

/**
 * Files with texts: those called texts.ts, and the fields, whose messages are next to their rules.
 */
const homes = sources.filter((path) => /texts\.ts$|^contract\/shared\/fields\.ts$/.test(path))

type Texts = { file: string; name: string; keys: string[] }

const texts: Texts[] = []
for (const file of homes) {
  const said: object = await import(join(root, file))
  for (const [name, value] of Object.entries(said))
    if (isGroup(value)) texts.push({ file, name, keys: leavesOf(value, name) })
}

test('finds texts to check', () => {
  expect(homes.length).toBeGreaterThan(8)
  expect(texts.flatMap(({ keys }) => keys).length).toBeGreaterThan(700)
})

test('uses every text', () => {
  const read = [
    ...new Set(sources.flatMap((path) => pathsRead(path, readFileSync(join(root, path), 'utf8')))),
  ]
  const unsaid = texts
    .flatMap(({ file, keys }) => keys.map((key) => `${file}: ${key}`))
    .filter((key) => !read.some((path) => isIn(key, path) || isIn(path, key)))
  expect(unsaid).toEqual([])
})

test('counts texts that cannot be traced as used, but not lookalikes', () => {
  const file = 'web/deals/made-up.tsx'
  const head = `import { dealTexts } from '@keyturn/contract/deals/texts.ts'\n`
  const from = 'contract/deals/texts.ts: dealTexts'
  const readIn = (body: string) => pathsRead(file, head + body)
  expect(readIn('const { home: texts, sold } = dealTexts\nsay(texts.link, sold.empty)')).toEqual([
    `${from}.home.link`,
    `${from}.sold.empty`,
  ])
  expect(readIn('say(dealTexts.events[name])\nsay({ ...dealTexts.sold })')).toEqual([
    `${from}.events`,
    `${from}.sold`,
  ])
  expect(
    readIn('// dealTexts.home\nsay(other.dealTexts.home, { dealTexts: 1 }) as typeof dealTexts.home'),
  ).toEqual([])
})

const isIn = (path: string, whole: string) => path === whole || path.startsWith(`${whole}.`)

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Returns the paths of texts, of functions that return one, and of lists. */
function leavesOf(group: object, path: string): string[] {
  return Object.entries(group).flatMap(([key, value]) =>
    isGroup(value) ? leavesOf(value, `${path}.${key}`) : [`${path}.${key}`],
  )
}

/**
 * Returns the texts a file reads, as `file: name.key.key`. Follows imports and constants that
 * rename a part. A part that is passed on, copied or read with a computed key ends its path, so all
 * of it counts as used.
 */
function pathsRead(path: string, source: string): string[] {
  const names: [local: string, path: string][] = []
  for (const { file, name } of texts) if (file === path) names.push([name, `${file}: ${name}`])
  let code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/\btypeof [\w.]+/g, '')
  code = code.replace(/^import \{([^}]*)\} from '([^']+)'$/gm, (_, list, from) => {
    for (const [own, local] of renamed(list, ' as '))
      for (const { file, name } of texts)
        if (name === own && file === fileOf(from, path)) names.push([local, `${file}: ${name}`])
    return ''
  })
  // A constant may name a part of one declared before it.
  code = code.replace(
    /(?<!export )const (\w+|\{[^{}]*\}) = (\w+)((?:\.\w+)*)$/gm,
    (all, left, base, keys) => {
      const parts = names.filter(([local]) => local === base).map(([, part]) => part + keys)
      for (const part of parts)
        for (const [key, local] of renamed(left.replace(/[{}]/g, ''), ':'))
          names.push([local, left.startsWith('{') ? `${part}.${key}` : part])
      return parts.length > 0 ? '' : all
    },
  )
  return names.flatMap(([local, part]) => {
    const start = `(?<![\\w$'-]|(?<!\\.\\.)\\.|const )`
    const end = `(?!\\??\\.\\w|[\\w$'-]|:|\\s*=[^=>])`
    const reads = new RegExp(`${start}${local}((?:\\??\\.\\w+)*)${end}`, 'g')
    return [...code.matchAll(reads)].map(([, keys = '']) => part + keys.replaceAll('?', ''))
  })
}

/** Parses `a, b: c` into pairs of the name there and the name here. */
function renamed(list: string, as: string): [there: string, here: string][] {
  return list.split(',').flatMap((one) => {
    const [there = '', here = there] = one.replace('type ', '').split(as)
    return there.trim() ? [[there.trim(), here.trim()]] : []
  })
}

const fileOf = (from: string, path: string) =>
  from.startsWith('.') ? join(path, '..', from) : from.replace(/^@keyturn\//, '')
