import './node-version.mjs'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compressAssets } from './compress.mjs'
import { installIfNeeded } from './install.mjs'
import { root, run, say } from './run.mjs'

const stamp = join(root, 'dist', 'built-from')

/** Builds pages and server when a source has changed since the last build. */
export async function buildIfChanged() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint()) return
  say('Building pages and server')
  // In a process of its own, that takes its memory with it: the server goes on in this one.
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

/** What lies in dist is no longer known to be what the sources say. */
export function forgetBuild() {
  rmSync(stamp, { force: true })
}

async function build(logLevel) {
  const before = fingerprint()
  forgetBuild()
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  const from = (home) => vite.build({ configFile: join(root, home, 'vite.config.ts'), logLevel })
  const pages = from('web').then(() => compressAssets(join(root, 'dist/web/assets')))
  await Promise.all([pages, from('server')])
  // Read at every start, from beside the server's own file as in the sources.
  cpSync(join(root, 'server/db/migrations'), join(root, 'dist/server/db/migrations'), { recursive: true })
  // Packages that npm could not put at the root, because another version of them is there.
  symlinkSync('../../server/node_modules', join(root, 'dist/server/node_modules'))
  writeFileSync(stamp, before)
}

/** Of everything that goes into a build. Contents, not times: a checkout changes times without changing anything. */
function fingerprint() {
  const hash = createHash('sha256')
  const homes = ['contract', 'server', 'web'].flatMap((home) => sourcesIn(join(root, home)))
  for (const path of [...homes, ...shared])
    hash.update(relative(root, path)).update('\0').update(readFileSync(path))
  return hash.digest('hex')
}

const shared = ['package-lock.json', 'tsconfig.json', 'tools/build.mjs', 'tools/compress.mjs'].map((path) =>
  join(root, path),
)

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
  await installIfNeeded()
  await build(process.argv.includes('--quiet') ? 'warn' : 'info').catch((error) => {
    // Only what it says: the rest is about the bundler's own insides.
    say(error.message)
    process.exit(1)
  })
}
