import { createHash } from 'node:crypto'
import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

const pages = join(root, 'dist/web')

/** Files without a digest in their names. Each is listed with the digest of its content. */
const unhashedFiles = ['shell.html', 'offline.html', 'color-scheme.js', 'not-started.js', 'favicon.svg']

/** Selects the app's code, styles and body font. Rarely used files are fetched when needed. */
const isPrecached = (name) =>
  /\.(js|css)$/.test(name) || /source-sans-3-(english|latin-wght-normal).*\.woff2$/.test(name)

/** Builds `sw.js` with the list of files that it caches. Runs after the build of the pages. */
export async function buildServiceWorker({ logLevel }) {
  // Copies the page before the server adds personal data to it.
  copyFileSync(join(pages, 'index.html'), join(pages, 'shell.html'))
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(root, 'web/pwa'),
    publicDir: false,
    logLevel,
    define: { keptFiles: JSON.stringify(precachedFiles()) },
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

function precachedFiles() {
  const assets = readdirSync(join(pages, 'assets')).filter(isPrecached)
  return [
    ...assets.sort().map((name) => ({ url: `/assets/${name}`, revision: null })),
    ...unhashedFiles.map((name) => ({ url: `/${name}`, revision: digestOf(name) })),
  ]
}

const digestOf = (name) =>
  createHash('sha256')
    .update(readFileSync(join(pages, name)))
    .digest('hex')
    .slice(0, 16)
