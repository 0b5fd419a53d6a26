import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installForStart } from './install.mjs'
import { root } from './run.mjs'

// Runs a server command with the server's settings: `npm run backup`, `restore`,
// `verify-agreements`. Arguments that are not options are paths, relative to the folder where npm
// was called.
const [name, ...given] = process.argv.slice(2)
const from = process.env.INIT_CWD ?? process.cwd()
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')
await installForStart()
const args = given.map((arg) => (arg.startsWith('--') ? arg : resolve(from, arg)))
const { status } = spawnSync('node_modules/.bin/tsx', [join(root, `server/commands/${name}.ts`), ...args], {
  stdio: 'inherit',
})
process.exitCode = status ?? 2
