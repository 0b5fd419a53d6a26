import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installEverything } from './install.mjs'
import { root } from './run.mjs'

// `npm run guards`: removes each guard of the product in turn and reports which removals no test
// noticed.
await installEverything()
const tsx = join(root, 'node_modules/.bin/tsx')
const { status } = spawnSync(tsx, [join(root, 'tools/guards/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
