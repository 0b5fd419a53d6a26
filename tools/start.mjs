import './node-version.mjs'
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfChanged, copyRenderedAssets, forgetBuild, serverBuildModes } from './build.mjs'
import { installEverything, installForStart } from './install.mjs'
import { writePrefetchLists } from './prefetch-lists.mjs'
import { root, say } from './run.mjs'

// Relative paths in settings (DATA_DIR) are relative to the checkout.
process.chdir(root)
endWithNpm()
loadSettings()
if (process.argv.includes('--watch')) {
  await installEverything()
  await watch()
} else {
  await installForStart()
  await buildIfChanged()
  // Runs in this process, so that the server gets the signals and sets the exit code.
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}

/** The environment takes precedence over the file. */
function loadSettings() {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
  } catch (error) {
    say(`The settings in ${join(root, '.env')} cannot be read: ${error.message}`)
    process.exit(1)
  }
}

/**
 * npm starts this through a shell that forwards no signals. Therefore this polls whether npm has
 * ended.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const stopWithParent = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(stopWithParent, 300).unref()
}

/**
 * Starts the server once the pages are built, and restarts it when its files change. Pages are
 * rebuilt when their files change.
 */
async function watch() {
  forgetBuild()
  const env = { ...process.env }
  const pages = await watchPages()
  // NODE_ENV was changed for building the pages; the server must not inherit that.
  const server = spawn(
    process.execPath,
    [
      'node_modules/tsx/dist/cli.mjs',
      'watch',
      '--clear-screen=false',
      // tsx does not detect this file, because it is loaded by URL.
      '--include=dist/ssr/render.js',
      'server/main.ts',
    ],
    { stdio: 'inherit', env },
  )
  // A terminal sends Ctrl-C to the server too, and a second signal would make tsx kill it.
  process.on('SIGINT', () => {})
  process.once('SIGTERM', () => server.kill())
  server.once('exit', async (code) => {
    await pages.close()
    process.exit(code ?? 0)
  })
}

/**
 * Builds pages at each change. Resolves after the first builds, which may have failed. Old files
 * remain, because open pages still request them.
 */
async function watchPages() {
  for (const folder of ['dist/web', 'dist/ssr']) rmSync(folder, { recursive: true, force: true })
  const watchers = await Promise.all([
    watchBuild({ configFile: 'web/vite.config.ts' }),
    ...serverBuildModes.map((mode) => watchBuild({ configFile: 'web/ssr/vite.config.ts', mode })),
  ])
  return { close: () => Promise.all(watchers.map((watcher) => watcher.close())) }
}

async function watchBuild(options) {
  const { build } = await import('vite')
  const watcher = await build({ ...options, logLevel: 'warn', build: { watch: {}, emptyOutDir: false } })
  await new Promise((built) => {
    watcher.on('event', ({ code, error, result }) => {
      if (code === 'BUNDLE_END') void result.close().then(() => say('Pages are built'))
      if (code === 'ERROR') say(error.message)
      if (code !== 'END') return
      copyRenderedAssets()
      void writePrefetchLists()
        .catch(({ message }) => say(message))
        .then(built)
    })
  })
  return watcher
}
