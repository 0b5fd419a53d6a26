import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

// Checks imports and writes to tables; docs/architecture.md has the numbers and the reasons.
// Imports are parsed line by line, as Biome formats them. (dependency-cruiser cannot parse
// TypeScript 7, and Biome's rules match import specifiers, not files.)

const root = resolve(import.meta.dirname, '..')
const modules = ['notifications', 'accounts', 'cars', 'trades', 'deals', 'agreements', 'dealers', 'messages']
/** Screens of a deal show its messages and its agreement, so the web's order ends with `deals`. */
const features = ['notifications', 'accounts', 'cars', 'trades', 'messages', 'agreements', 'dealers', 'deals']

/** Files that assemble the modules. Only another assembler imports them. */
const assemblers =
  /^contract\/(endpoints|errors|api-docs)\.ts$|^server\/(app|tasks|main|personal-data)\.ts$|^server\/(commands|start)\/|^web\/(routes|main)\.tsx$|^web\/ssr\/(render|forms|page-data-examples)\.tsx?$|^web\/ssr\/script\/(forms|load-endpoints|init-page|verify)\.ts$|^web\/features\/admin\/|^web\/auth\/(signed-in-layout|settings-screen)\.tsx$/

/** Files outside of the modules that import a part of a module's contract. */
const exceptions: Record<string, RegExp> = {
  'server/config.ts': /^server\/modules\/dealers\/desk\/desk\.ts$/,
  'server/deps.ts': /^server\/modules\/dealers\/desk\/desk\.ts$/,
  'server/modules/dealers/desk/': /^contract\/(cars|deals|dealers)\/[\w-]+\.ts$/,
  'server/platform/http/authorization.ts': /^contract\/accounts\/(rules|admin-acts)\.ts$/,
  'contract/shared/endpoint.ts': /^contract\/accounts\/admin-acts\.ts$/,
  'server/integrations/sales-tax/tax-rates.ts': /^contract\/trades\/(tax|texts)\.ts$/,
  'web/pwa/push-handlers.ts': /^contract\/notifications\/push\.ts$/,
  'web/auth/': /^contract\/accounts\/(endpoints|administrators|admin-acts|suspension-texts)\.ts$/,
  'web/api/': /^contract\/notifications\/(endpoints|rules)\.ts$/,
}
/** Tables that no `tables.ts` declares. */
const ownersWithoutView: Record<string, string> = {
  idempotency_keys: 'server/platform/http',
  jobs: 'server/platform/jobs',
  migrations: 'server/platform/database',
  outgoing_stops: 'server/platform/jobs',
  server_keys: 'server/platform/startup',
}
/** The entry points. */
const environmentReaders = /^server\/(main|commands\/[\w-]+)\.ts$/

const paths = ['contract', 'server', 'web', 'tests', 'bench', 'tools'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter(
      (path) =>
        /\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$|\.d\.m?ts$|(^|\/)(node_modules|dist)\//.test(path),
    ),
)
const product = paths.filter((path) => /^(contract|server|web)\//.test(path))
const textOf = new Map(product.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const sources = [...textOf]

type Import = { from: string; to: string; isType: boolean; line: string }
const imports = sources.flatMap(([path, text]) =>
  [
    ...text.matchAll(
      /(?:^|\n)(?:import|export)(?: type)?[^'"`;]*?from '[^']+'|(?:^|\n)import '[^']+'|\bimport\('[^']+'\)/g,
    ),
  ].map(
    ([line]): Import => ({
      from: path,
      to: targetOf(path, line),
      isType: /^\s*(import|export) type/.test(line),
      line,
    }),
  ),
)

function targetOf(from: string, line: string): string {
  const [, to = ''] = /'([^']+)'\)?$/.exec(line) ?? []
  if (to.startsWith('.')) return posix.join(posix.dirname(from), to)
  return to.replace(/^@keyturn\//, '')
}

const packageOf = (path: string) => path.split('/')[0] ?? ''
const moduleOf = (path: string) => {
  const [, name = ''] = /^(?:contract|server\/modules|web\/features)\/([\w-]+)\//.exec(path) ?? []
  return modules.includes(name) ? name : undefined
}
const isTables = (path: string) => /^server\/(modules|platform)\/[\w-]+\/(tables|state-sql)\.ts$/.test(path)
const isException = ({ from, to }: Import) =>
  Object.entries(exceptions).some(([path, known]) => from.startsWith(path) && known.test(to))

/** The imports that each rule forbids. */
const forbidden: Record<string, (one: Import) => unknown> = {
  '1: the contract imports zod and itself only': ({ from, to }) =>
    packageOf(from) === 'contract' && packageOf(to) !== 'contract' && to !== 'zod',
  '1: server and web never import each other': ({ from, to }) =>
    /^(server web|web server)$/.test(`${packageOf(from)} ${packageOf(to)}`),
  '2: modules import modules below them': ({ from, to }) => {
    const [module, other] = [moduleOf(from), moduleOf(to)]
    const isWeb = packageOf(from) === 'web'
    const order = isWeb ? features : modules
    return (
      module &&
      other &&
      packageOf(to) !== (isWeb ? 'contract' : '') &&
      !assemblers.test(from) &&
      !isTables(to) &&
      !(isWeb && to.endsWith('/queries.ts')) &&
      order.indexOf(other) > order.indexOf(module)
    )
  },
  '2: files outside of the modules import no module': (one) =>
    !moduleOf(one.from) && moduleOf(one.to) !== undefined && !assemblers.test(one.from) && !isException(one),
  '2: only assemblers import assemblers': ({ from, to }) => assemblers.test(to) && !assemblers.test(from),
  '4: a repository imports no rules but their types': ({ from, to, isType }) =>
    /(\/|-)(repository|views)\.ts$/.test(from) && /^contract\/.*\/(rules|stages)\.ts$/.test(to) && !isType,
  '4: rules import no endpoints': ({ from, to }) =>
    /^contract\/.*\/(rules|stages|tax)\.ts$/.test(from) && /\/(endpoints|shapes)\.ts$/.test(to),
  '6: only assemblers import routes, which take hooks': ({ from, to }) =>
    /^server\/modules\/[\w-]+\/routes\.ts$/.test(to) && !assemblers.test(from),
}

test('parses all imports', () => {
  expect(imports.length).toBeGreaterThan(2_500)
  const unread = imports.filter(
    ({ to }) => to === '' || (/^(contract|server|web)\//.test(to) && !textOf.has(to)),
  )
  expect(unread.filter(({ to }) => /\.tsx?$/.test(to))).toEqual([])
})

describe('imports', () => {
  test.each(Object.entries(forbidden))('%s', (_, isForbidden) => {
    expect(imports.filter((one) => isForbidden(one)).map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })
})

describe('tables', () => {
  const owners = new Map(Object.entries(ownersWithoutView))
  for (const [path, text] of sources.filter(([path]) => isTables(path)))
    for (const [, name = ''] of text.matchAll(/pgTable\(\s*['`](?:\$\{\w+\})?(\w+)['`]/g)) {
      owners.set(name, dirname(path))
      if (/\$\{\w+\}/.test(text)) owners.set(`admin_${name}`, dirname(path))
    }
  const server = sources.filter(([path]) => packageOf(path) === 'server' && !assemblers.test(path))
  const folderOf = (path: string) =>
    path
      .split('/')
      .slice(0, path.startsWith('server/') ? 3 : 2)
      .join('/')
  const isForeign = (path: string, table: string) => owners.has(table) && owners.get(table) !== folderOf(path)
  const namedAfter = (words: string, text: string) =>
    [...text.matchAll(new RegExp(`\\b(?:${words})\\s+"?(?:\\$\\{\\w+\\})?(\\w+)`, 'g'))].map(
      ([, table = '']) => table,
    )

  test('3: are written by their owner', () => {
    const written = server.flatMap(([path, text]) => {
      const foreign = imports
        .filter(({ from, to }) => from === path && isTables(to) && folderOf(to) !== folderOf(path))
        .flatMap(({ line }) => line.replace(/^[^{]*\{|\}[^}]*$/g, '').split(','))
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')
              .at(-1) ?? '',
        )
      const built = [
        ...text.matchAll(/\.(?:insert|update|delete)\((\w+)|(?:insert into|update|delete from) \$\{(\w+)/g),
      ]
      return [
        ...built.map(([, one, other]) => one ?? other ?? '').filter((name) => foreign.includes(name)),
        ...namedAfter('insert into|update|delete from', text).filter((table) => isForeign(path, table)),
      ].map((table) => `${path} -> ${table}`)
    })
    expect([...new Set(written)]).toEqual([])
  })
})

test('reads the environment only in main.ts and the commands', () => {
  const readers = sources
    .filter(([, text]) => /\bprocess\.env\b|process\['env'\]/.test(text))
    .map(([path]) => path)
  expect(
    readers.filter((path) => !/\/vite\.config\.ts$/.test(path) && !environmentReaders.test(path)),
  ).toEqual([])
})

test('checks an error’s code in the web app, not its status', () => {
  const readers = sources.filter(
    ([path, text]) => /^web\/(?!api\/)/.test(path) && /\bstatus [!=]== \d|\bstatus [<>]=? \d/.test(text),
  )
  expect(readers.map(([path]) => path)).toEqual(['web/auth/is-administrator-query.ts'])
})

test('has at most 20 source files in each folder', () => {
  const folders = paths.map((path) => posix.dirname(path))
  expect(folders.filter((folder) => folders.filter((one) => one === folder).length > 20)).toEqual([])
})
