import './node-version.mjs'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
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
if (process.argv.includes('--watch')) watch()
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

function watch() {
  forgetBuild()
  const node = (...args) => spawn(process.execPath, args, { stdio: 'inherit' })
  const children = [
    node('node_modules/vite/bin/vite.js', 'build', '--watch', '--config', 'web/vite.config.ts'),
    node('node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/main.ts'),
  ]
  // A terminal's Ctrl-C reaches all of them by itself, and a second signal would make tsx kill the server.
  let ending = false
  process.on('SIGINT', () => {
    ending = true
  })
  process.once('SIGTERM', endAll)
  for (const child of children) child.once('exit', endAll)

  function endAll() {
    if (ending) return
    ending = true
    for (const child of children) child.kill()
  }
}
