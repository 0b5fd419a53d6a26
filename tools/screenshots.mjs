import './node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { installEverything } from './install.mjs'
import { root, say } from './run.mjs'

// `npm run screenshots [-- --only name]`: takes every screen and dialog as the demo people.
await installEverything()
if (!process.env.KEYTURN_DIST) await buildIfChanged()
try {
  walk(findChromium(say))
} catch (error) {
  say(error.message)
  process.exitCode = 1
}

function walk(chromium) {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const main = join(root, 'tools/screenshots/main.ts')
  const walker = spawn(process.execPath, [tsx, main, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, CHROMIUM: chromium },
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => walker.kill(signal))
  walker.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
