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
import { compressAssets } from './compress.mjs'
import { installForStart } from './install.mjs'
import { writePrefetchLists } from './prefetch-lists.mjs'
import { root, run, say } from './run.mjs'
import { buildServiceWorker } from './service-worker.mjs'

const stamp = join(root, 'dist', 'built-from')

/** Builds pages and server when a source has changed since the last build. */
export async function buildIfChanged() {
  if (isBuilt()) return
  say('Building pages and server')
  // Runs in a separate process, because the server then needs less memory in this one.
  const { code, output, seconds } = await run(
    process.execPath,
    [join(root, 'tools', 'build.mjs'), '--quiet'],
    {
      everyFewSeconds: (passed) => say(`  still building, ${passed.toFixed(0)} s`),
    },
  )
  if (code !== 0) {
    say(output)
    say('The build failed with the output above.')
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
  const buildPackage = (name) => vite.build({ configFile: join(root, name, 'vite.config.ts'), logLevel })
  const web = Promise.all([buildPackage('web'), buildRenderedPages({ logLevel })]).then(async () => {
    copyRenderedAssets()
    await writePrefetchLists()
    await buildServiceWorker({ logLevel })
    return compressAssets(join(root, 'dist/web/assets'))
  })
  await Promise.all([web, buildPackage('server')])
  // The server reads migrations at each start, at the same relative path as in the sources.
  cpSync(join(root, 'server/platform/database/migrations'), join(root, 'dist/server/migrations'), {
    recursive: true,
  })
  // The root's node_modules has other versions of these packages.
  symlinkSync('../../server/node_modules', join(root, 'dist/server/node_modules'))
  writeFileSync(stamp, before)
}

/**
 * The builds of `web/ssr`: two bundles for the server, their pages' scripts, and the script of
 * /verify.
 */
export const serverBuildModes = [
  'pages',
  'pages-script',
  'verify-script',
  'forms',
  'passkeys-script',
  'forms-script',
]

export async function buildRenderedPages({ logLevel, outDir = join(root, 'dist/ssr') }) {
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  for (const mode of serverBuildModes)
    await build({ configFile: join(root, 'web/ssr/vite.config.ts'), mode, logLevel, build: { outDir } })
  // Imported here, because its packages may have been installed just now.
  const { cutStyles } = await import('./page-styles.mjs')
  await cutStyles(outDir)
}

/** Copies the assets of rendered pages to those of the app, which has mostly the same fonts. */
export function copyRenderedAssets() {
  const [from, to] = [join(root, 'dist/ssr/assets'), join(root, 'dist/web/assets')]
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (!name.endsWith('.css')) cpSync(join(from, name), join(to, name))
}

/** Hashes all sources of a build by content, because a checkout changes modification times. */
export function fingerprintOf(packages) {
  const hash = createHash('sha256')
  const sources = packages.flatMap((name) => sourcesIn(join(root, name)))
  for (const path of [...sources, ...shared])
    hash.update(relative(root, path)).update('\0').update(readFileSync(path))
  return hash.digest('hex')
}

const fingerprint = () => fingerprintOf(['contract', 'server', 'web'])

const shared = [
  'package-lock.json',
  'tsconfig.json',
  'tools/prefetch-lists.mjs',
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
    // Prints only the message: the stack is about the bundler's internals.
    say(error.message)
    process.exit(1)
  })
}
