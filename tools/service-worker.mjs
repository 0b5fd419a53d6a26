import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const pages = join(root, 'dist/web')

/** Besides the assets. These keep their names, so each is listed with a digest of its content. */
const named = ['shell.html', 'offline.html', 'color-scheme.js', 'not-started.js', 'favicon.svg']

/**
 * The app's code, styles and text font. Rarely used files (a scanner, a script font) are fetched on
 * demand.
 */
const isKept = (name) =>
  /\.(js|css)$/.test(name) || /source-sans-3-(english|latin-wght-normal).*\.woff2$/.test(name)

/**
 * Builds `sw.js` with the list of files that it caches. Runs after the pages, whose files it lists.
 */
export async function buildServiceWorker({ logLevel }) {
  // A separate name, because the server may add data for each person to the page itself.
  copyFileSync(join(pages, 'index.html'), join(pages, 'shell.html'))
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(root, 'web/pwa'),
    publicDir: false,
    logLevel,
    define: { keptFiles: JSON.stringify(keptFiles()) },
    build: {
      outDir: pages,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, 'web/pwa/service-worker.ts'),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  })
}

function keptFiles() {
  const assets = readdirSync(join(pages, 'assets')).filter(isKept)
  return [
    ...assets.sort().map((name) => ({ url: `/assets/${name}`, revision: null })),
    ...named.map((name) => ({ url: `/${name}`, revision: digestOf(name) })),
  ]
}

const digestOf = (name) =>
  createHash('sha256')
    .update(readFileSync(join(pages, name)))
    .digest('hex')
    .slice(0, 16)
