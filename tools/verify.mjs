import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { installForStart } from './install.mjs'
import { root } from './run.mjs'

// `npm run verify -- FILE...`: checks that signed agreements are unchanged, without a server or a
// network.
await installForStart()
const tsx = join(root, 'node_modules/.bin/tsx')
// npm changes the folder, but paths are relative to the folder where npm was called.
const from = process.env.INIT_CWD ?? process.cwd()
const args = process.argv.slice(2).map((arg) => (/^(--|https?:)/.test(arg) ? arg : resolve(from, arg)))
const { status } = spawnSync(
  tsx,
  [join(root, 'server/modules/agreements/verification/verify-files-main.ts'), ...args],
  {
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 2
