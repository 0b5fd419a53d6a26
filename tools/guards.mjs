import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installIfNeeded } from './install.mjs'
import { root } from './run.mjs'

// `npm run guards`: takes each guard of the product away in turn and says which ones no test missed.
await installIfNeeded()
const tsx = join(root, 'node_modules/.bin/tsx')
const { status } = spawnSync(tsx, [join(root, 'tools/guards/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
