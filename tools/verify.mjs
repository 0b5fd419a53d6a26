import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installForStart } from './install.mjs'
import { root } from './run.mjs'

// `npm run verify -- FILE...`: checks that signed agreements are unchanged, without a server or a
// network.
await installForStart()
const tsx = join(root, 'node_modules/.bin/tsx')
// The folder where npm was called, not the one it changed to.
const from = process.env.INIT_CWD ?? process.cwd()
const given = process.argv.slice(2).map((word) => (word === '--keys' ? word : resolve(from, word)))
const { status } = spawnSync(
  tsx,
  [join(root, 'server/modules/agreements/verification/verify-files-main.ts'), ...given],
  {
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 2
