import '../node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from '../build.mjs'
import { findChromium } from '../chromium.mjs'
import { installEverything } from '../install.mjs'
import { root, say } from '../run.mjs'

// `npm run bench:web`: measures how soon the public pages are readable on a phone with a slow
// connection.
await installEverything()
if (!process.env.KEYTURN_DIST) await buildIfChanged()
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
const bench = spawn(process.execPath, [tsx, join(root, 'bench/web/main.ts')], {
  cwd: root,
  env: { ...process.env, CHROMIUM: findChromium(say) },
  stdio: 'inherit',
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, () => bench.kill(signal))
bench.once('exit', (code) => {
  process.exitCode = code ?? 1
})
