import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'

/** What the build has put beside this bundle and beside the app, by the names that it gave them. */
export type Built = {
  css: string
  /** Addresses of files that browsers ask for. */
  script: string
  font: string
  /** The app's files that the first screens of its own pages need beside its entry, by path. */
  firstFiles: Record<string, readonly string[]>
  /** The app's files that the next page will need, by where it leads. */
  ahead: Record<'toAccount' | 'toHome' | 'toWaiting' | 'toPurchase', readonly string[]>
}

const firstScreens = {
  '/home': 'deals/home/home-screen.tsx',
  '/car/seller': 'deals/selling/seller-screen.tsx',
  '/buyer': 'deals/buying/buyer-screen.tsx',
  '/wholesaler': 'trades/wholesaler/wholesaler-screen.tsx',
  '/trade': 'deals/home/trade-dashboard-screen.tsx',
}

/** For the one bundle or the other: each has a style sheet and a script of its own. */
export function readBuilt(bundle: 'rendered' | 'forms'): Built {
  const assets = new URL('./assets/', import.meta.url)
  const names = readdirSync(assets)
  // While sources change, the files of earlier builds stay.
  const newest = (one: string, other: string) => ageOf(one) - ageOf(other)
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).sort(newest)[0] ?? ''
  const ageOf = (name: string) => -statSync(new URL(name, assets)).mtimeMs
  const scriptOf = (name: string) => `/assets/${find(new RegExp(`^${name}-.*\\.js$`))}`
  const ahead = (...screens: string[]) => filesOf(screens)
  return {
    css: readFileSync(new URL(`${bundle}.css`, assets), 'utf8'),
    script: scriptOf(bundle),
    font: `/assets/${find(/source-sans-3-latin-wght-normal.*\.woff2$/)}`,
    firstFiles: Object.fromEntries(
      Object.entries(firstScreens).map(([path, screen]) => [
        path,
        beside(filesOf(['who/signed-in.tsx', screen])),
      ]),
    ),
    ahead: {
      toAccount: [scriptOf('forms'), ...ahead('who/signed-in.tsx')],
      toHome: ahead('who/signed-in.tsx', 'deals/home/home-screen.tsx'),
      toWaiting: ahead('accounts/waiting-screen.tsx'),
      toPurchase: [scriptOf('forms'), ...ahead('who/signed-in.tsx', 'deals/buying/buyer-screen.tsx')],
    },
  }
}

/** The page names its entry with all that this imports. */
function beside(files: readonly string[]): string[] {
  const entry = new Set(filesOf([]))
  return files.filter((file) => !entry.has(file))
}

type Chunk = { file: string; css?: string[]; imports?: string[] }

/** The app's entry and these screens with all that they import. */
function filesOf(screens: readonly string[]): string[] {
  const path = new URL('../web/.vite/manifest.json', import.meta.url)
  // The tests build these pages without the app.
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
