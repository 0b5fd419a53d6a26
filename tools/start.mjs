import './node-version.mjs'
import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfChanged, forgetBuild } from './build.mjs'
import { installIfNeeded } from './install.mjs'
import { root, say } from './run.mjs'

// Relative settings (DATA_DIR) count from the checkout, wherever the command was given.
process.chdir(root)
endWithNpm()
loadSettings()
await installIfNeeded()
if (process.argv.includes('--watch')) await watch()
else {
  await buildIfChanged()
  // In this process: signals and the exit code are the server's own.
  await import(pathToFileURL(join(root, 'dist/server/main.js')).href)
}

/** What the environment says counts before what the file says. */
function loadSettings() {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env')
  } catch (error) {
    say(`The settings in ${join(root, '.env')} cannot be read: ${error.message}`)
    process.exit(1)
  }
}

/** npm starts us through a shell that passes no signal on: whoever ends npm has to end us as well. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const look = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM')
  setInterval(look, 300).unref()
}

/** The server starts once there are pages, and again when a file of its own changes; pages are built anew under it. */
async function watch() {
  forgetBuild()
  const env = { ...process.env }
  const pages = await watchPages()
  // Ours is now the one that pages are built with: the server has none of it.
  const server = spawn(
    process.execPath,
    ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/main.ts'],
    { stdio: 'inherit', env },
  )
  // A terminal's Ctrl-C reaches the server by itself, and a second signal would make tsx kill it.
  process.on('SIGINT', () => {})
  process.once('SIGTERM', () => server.kill())
  server.once('exit', async (code) => {
    await pages.close()
    process.exit(code ?? 0)
  })
}

/** Builds pages at each change; given back after the first time, built or not. Old files stay: a page that is open still asks for them. */
async function watchPages() {
  rmSync('dist/web', { recursive: true, force: true })
  const { build } = await import('vite')
  const watcher = await build({
    configFile: 'web/vite.config.ts',
    logLevel: 'warn',
    build: { watch: {}, emptyOutDir: false },
  })
  await new Promise((built) => {
    watcher.on('event', ({ code, error, result }) => {
      if (code === 'BUNDLE_END') void result.close().then(() => say('Pages are built'))
      if (code === 'ERROR') say(error.message)
      if (code === 'END') built()
    })
  })
  return watcher
}
