import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installIfNeeded } from './install.mjs'
import { root } from './run.mjs'

/** Runs a command of the server's own, with its settings. What is no option is a path, named from where npm was called. */
export async function runBeside(name) {
  const from = process.env.INIT_CWD ?? process.cwd()
  process.chdir(root)
  if (existsSync('.env')) process.loadEnvFile('.env')
  await installIfNeeded()
  const args = process.argv.slice(2).map((word) => (word.startsWith('--') ? word : resolve(from, word)))
  const { status } = spawnSync('node_modules/.bin/tsx', [join(root, `server/${name}.ts`), ...args], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 2
}
