import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

/** Build artifacts next to this bundle and the app, by their hashed names. */
export type Built = {
  /** The style sheet of a kind of page, reduced by the build to what it uses. */
  styleOf: (kind: string) => { css: string; cut: URL }
  css: string
  script: string
  /** The script of a page that needs more than the others of its bundle. */
  scriptOf: (name: string) => string
  /** The text face's file for English characters. */
  font: string
  /** The files that the app's first screens need besides its entry, by path. */
  firstFiles: Record<string, readonly string[]>
  /**
   * The app's files for the next page, by target. They would be a tenth of the page, so they are in
   * separate files.
   */
  listsAhead: () => Record<string, readonly string[]>
  ahead: Record<'toAccount' | 'toHome' | 'toWaiting' | 'toPurchase', string>
  /** The source of the script, for inlining. */
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
export function readBuilt(bundle: 'rendered' | 'forms'): Built {
  const assets = new URL('./assets/', import.meta.url)
  const css = readFileSync(new URL(`${bundle}.css`, assets), 'utf8')
  const find = (pattern: RegExp) => newestIn(assets, pattern)
  const scriptNamed = (name: string) => find(new RegExp(`^${name}-.*\\.js$`))
  const script = scriptNamed(bundle)
  // Only a reduced style sheet of exactly this source counts; during development there is none.
  const digest = createHash('sha256').update(css).digest('hex').slice(0, 8)
  const ahead = (name: string) =>
    addressOf(newestIn(new URL('../web/assets/', import.meta.url), listOf(name)))
  return {
    css,
    styleOf: (kind) => {
      const cut = new URL(`${kind}-${digest}.css`, assets)
      return { cut, css: existsSync(cut) ? readFileSync(cut, 'utf8') : css }
    },
    script: addressOf(script),
    font: addressOf(find(/^source-sans-3-english-.*\.woff2$/)),
    scriptOf: (name) => addressOf(scriptNamed(name)),
    scriptText: () => readFileSync(new URL(script, assets), 'utf8'),
    firstFiles: Object.fromEntries(
      Object.entries(firstScreens).map(([path, screen]) => [
        path,
        beside(filesOf(['auth/signed-in.tsx', screen])),
      ]),
    ),
    listsAhead: () => {
      const form = addressOf(find(/^forms-.*\.js$/))
      return {
        'to-account': [form, ...filesOf(['auth/signed-in.tsx'])],
        'to-home': filesOf(['auth/signed-in.tsx', 'features/deals/dashboard/dashboard-screen.tsx']),
        'to-waiting': filesOf(['features/accounts/waiting-screen.tsx']),
        'to-purchase': [form, ...filesOf(['auth/signed-in.tsx', 'features/deals/buying/buyer-screen.tsx'])],
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
 * Returns the newest match, because earlier builds leave files during development. Tests build
 * these pages without the app.
 */
function newestIn(folder: URL, pattern: RegExp): string {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)) : []
  const ageOf = (name: string) => -statSync(new URL(name, folder)).mtimeMs
  return names.sort((one, other) => ageOf(one) - ageOf(other))[0] ?? ''
}

/** Omits the entry's own imports, because the page already references them. */
function beside(files: readonly string[]): string[] {
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
