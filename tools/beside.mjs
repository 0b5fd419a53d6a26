import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installForStart } from './install.mjs'
import { root } from './run.mjs'

// A command of the server's own beside it, with its settings: `npm run backup`, `restore`, `verify-agreements`. What is no option is a path, named
// from where npm was called.
const [name, ...words] = process.argv.slice(2)
const from = process.env.INIT_CWD ?? process.cwd()
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')
await installForStart()
const args = words.map((word) => (word.startsWith('--') ? word : resolve(from, word)))
const { status } = spawnSync('node_modules/.bin/tsx', [join(root, `server/commands/${name}.ts`), ...args], {
  stdio: 'inherit',
})
process.exitCode = status ?? 2
