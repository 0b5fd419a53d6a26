import './node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { installEverything } from './install.mjs'
import { root, say } from './run.mjs'

// `npm run screenshots [-- --only name,name]`: captures every screen and dialog with the demo data.
await installEverything()
if (!process.env.KEYTURN_DIST) await buildIfChanged()
try {
  takeScreenshots(findChromium(say))
} catch (error) {
  say(error.message)
  process.exitCode = 1
}

function takeScreenshots(chromium) {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
  const main = join(root, 'tools/screenshots/main.ts')
  const child = spawn(process.execPath, [tsx, main, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, CHROMIUM: chromium },
    stdio: 'inherit',
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => child.kill(signal))
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
  })
}
