import './node-version.mjs'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listFilesAhead } from './ahead.mjs'
import { compressAssets } from './compress.mjs'
import { installForStart } from './install.mjs'
import { root, run, say } from './run.mjs'
import { buildServiceWorker } from './service-worker.mjs'

const stamp = join(root, 'dist', 'built-from')

/** Builds pages and server when a source has changed since the last build. */
export async function buildIfChanged() {
  if (isBuilt()) return
  say('Building pages and server')
  // In a separate process, whose memory is freed when it ends: the server runs on in this one.
  const { code, output, seconds } = await run(
    process.execPath,
    [join(root, 'tools', 'build.mjs'), '--quiet'],
    {
      everyFewSeconds: (passed) => say(`  still building, ${passed.toFixed(0)} s`),
    },
  )
  if (code !== 0) {
    say(output)
    say('The build failed: what it says is above.')
    process.exit(1)
  }
  say(`Built in ${seconds.toFixed(1)} s`)
}

const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()

/** Marks dist as possibly out of date. */
export function forgetBuild() {
  rmSync(stamp, { force: true })
}

async function build(logLevel) {
  const before = fingerprint()
  forgetBuild()
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  const from = (home) => vite.build({ configFile: join(root, home, 'vite.config.ts'), logLevel })
  const web = Promise.all([from('web'), buildRenderedPages({ logLevel })]).then(async () => {
    copyRenderedAssets()
    await listFilesAhead()
    await buildServiceWorker({ logLevel })
    return compressAssets(join(root, 'dist/web/assets'))
  })
  await Promise.all([web, from('server')])
  // The server reads them at every start, from the same relative path as in the sources.
  cpSync(join(root, 'server/platform/database/migrations'), join(root, 'dist/server/migrations'), {
    recursive: true,
  })
  // Packages that npm could not install at the root because another version is there.
  symlinkSync('../../server/node_modules', join(root, 'dist/server/node_modules'))
  writeFileSync(stamp, before)
}

/** The builds of `web/ssr`: two bundles that the server loads, their pages' scripts, and that of /verify. */
export const renderedPages = ['pages', 'pages-script', 'verify-script', 'forms', 'forms-script']

export async function buildRenderedPages({ logLevel, outDir = join(root, 'dist/ssr') }) {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  for (const mode of renderedPages)
    await build({ configFile: join(root, 'web/ssr/vite.config.ts'), mode, logLevel, build: { outDir } })
  // Imported here, because its packages may have been installed just now.
  const { cutStyles } = await import('./page-styles.mjs')
  await cutStyles(outDir)
}

/** Copies the rendered pages' assets to the app's, because most fonts are the same. */
export function copyRenderedAssets() {
  const [from, to] = [join(root, 'dist/ssr/assets'), join(root, 'dist/web/assets')]
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (!name.endsWith('.css')) cpSync(join(from, name), join(to, name))
}

/** Hashes all sources of a build by content, because a checkout changes modification times. */
export function fingerprintOf(homes) {
  const hash = createHash('sha256')
  const sources = homes.flatMap((home) => sourcesIn(join(root, home)))
  for (const path of [...sources, ...shared])
    hash.update(relative(root, path)).update('\0').update(readFileSync(path))
  return hash.digest('hex')
}

const fingerprint = () => fingerprintOf(['contract', 'server', 'web'])

const shared = [
  'package-lock.json',
  'tsconfig.json',
  'tools/ahead.mjs',
  'tools/build.mjs',
  'tools/compress.mjs',
  'tools/page-styles.mjs',
  'tools/service-worker.mjs',
].map((path) => join(root, path))

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path)
      return entry.isFile() && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
    })
    .sort()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // `--is-built`: exits with 0 if the build is up to date, otherwise with 1.
  if (process.argv.includes('--is-built')) process.exit(isBuilt() ? 0 : 1)
  await installForStart()
  // `--pages FOLDER`: builds only the rendered pages, for the tests.
  const at = process.argv.indexOf('--pages')
  const outDir = at > 0 ? process.argv[at + 1] : null
  const logLevel = process.argv.includes('--quiet') ? 'warn' : 'info'
  await (outDir ? buildRenderedPages({ logLevel, outDir }) : build(logLevel)).catch((error) => {
    // Only the message: the stack is about the bundler's internals.
    say(error.message)
    process.exit(1)
  })
}
