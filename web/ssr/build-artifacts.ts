import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

/** Build artifacts of this bundle and of the app, with their hashed names. */
export type BuildArtifacts = {
  /** The style sheet of a kind of page; `reducedUrl` is where the build writes the reduced one. */
  styleOf: (kind: string) => { css: string; reducedUrl: URL }
  css: string
  script: string
  /** The script of a page that needs more than the other pages of its bundle. */
  scriptOf: (name: string) => string
  /** URL of the body font's file with the English characters. */
  font: string
  /** The files that the app's first screens need besides the entry, by path. */
  firstFiles: Record<string, readonly string[]>
  /**
   * The app's files for the next page, by target. They are separate files, because the lists are
   * long.
   */
  listsAhead: () => Record<string, readonly string[]>
  ahead: Record<'toAccount' | 'toHome' | 'toWaiting' | 'toPurchase', string>
  /** The script's source, because the reduced style sheet keeps the styles that it mentions. */
  scriptText: () => string
}

const firstScreens = {
  '/home': 'features/deals/dashboard/dashboard-screen.tsx',
  '/car/seller': 'features/deals/selling/seller-screen.tsx',
  '/buyer': 'features/deals/buying/buyer-screen.tsx',
  '/wholesaler': 'features/trades/wholesaler/wholesaler-screen.tsx',
  '/trade': 'features/deals/dashboard/trade-dashboard-screen.tsx',
}

/** Reads the artifacts of one bundle; each has its own style sheet and script. */
export function readBuildArtifacts(bundle: 'rendered' | 'forms'): BuildArtifacts {
  const assets = new URL('./assets/', import.meta.url)
  const css = readFileSync(new URL(`${bundle}.css`, assets), 'utf8')
  const find = (pattern: RegExp) => newestIn(assets, pattern)
  const scriptNamed = (name: string) => find(new RegExp(`^${name}-.*\\.js$`))
  const script = scriptNamed(bundle)
  // The name ties a reduced style sheet to its source. There is none during development.
  const digest = createHash('sha256').update(css).digest('hex').slice(0, 8)
  const ahead = (name: string) =>
    addressOf(newestIn(new URL('../web/assets/', import.meta.url), listOf(name)))
  return {
    css,
    styleOf: (kind) => {
      const reducedUrl = new URL(`${kind}-${digest}.css`, assets)
      return { reducedUrl, css: existsSync(reducedUrl) ? readFileSync(reducedUrl, 'utf8') : css }
    },
    script: addressOf(script),
    font: addressOf(find(/^source-sans-3-english-.*\.woff2$/)),
    scriptOf: (name) => addressOf(scriptNamed(name)),
    scriptText: () => readFileSync(new URL(script, assets), 'utf8'),
    firstFiles: Object.fromEntries(
      Object.entries(firstScreens).map(([path, screen]) => [
        path,
        withoutEntryFiles(filesOf(['auth/signed-in-layout.tsx', screen])),
      ]),
    ),
    listsAhead: () => {
      const form = addressOf(find(/^forms-.*\.js$/))
      return {
        'to-account': [form, ...filesOf(['auth/signed-in-layout.tsx'])],
        'to-home': filesOf(['auth/signed-in-layout.tsx', 'features/deals/dashboard/dashboard-screen.tsx']),
        'to-waiting': filesOf(['features/accounts/email-sent-screen.tsx']),
        'to-purchase': [
          form,
          ...filesOf(['auth/signed-in-layout.tsx', 'features/deals/buying/buyer-screen.tsx']),
        ],
      }
    },
    ahead: {
      toAccount: ahead('to-account'),
      toHome: ahead('to-home'),
      toWaiting: ahead('to-waiting'),
      toPurchase: ahead('to-purchase'),
    },
  }
}

const listOf = (name: string) => new RegExp(`^ahead-${name}-.*\\.json$`)
const addressOf = (name: string) => (name ? `/assets/${name}` : '')

/**
 * Returns the newest match, because files of earlier builds remain. Tests build these pages without
 * the app.
 */
function newestIn(folder: URL, pattern: RegExp): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)) : []
  const ageOf = (name: string) => -statSync(new URL(name, folder)).mtimeMs
  return names.sort((one, other) => ageOf(one) - ageOf(other))[0] ?? ''
}

/** Omits the entry's own imports, because the page already references them. */
function withoutEntryFiles(files: readonly string[]): string[] {
  const entry = new Set(filesOf([]))
  return files.filter((file) => !entry.has(file))
}

type Chunk = { file: string; css?: string[]; imports?: string[] }

function filesOf(screens: readonly string[]): string[] {
  const path = new URL('../web/.vite/manifest.json', import.meta.url)
  // Tests build these pages without the app.
  if (!existsSync(path)) return []
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(path, 'utf8'))
  const files = new Set<string>()
  const add = (key: string) => {
    const chunk = manifest[key]
    if (!chunk || files.has(`/${chunk.file}`)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(`/${file}`)
    for (const other of chunk.imports ?? []) add(other)
  }
  for (const key of ['index.html', ...screens]) add(key)
  return [...files]
}
