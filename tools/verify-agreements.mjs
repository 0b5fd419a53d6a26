import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installIfNeeded } from './install.mjs'
import { root } from './run.mjs'

// `npm run verify-agreements -- HEAD...`: whether all evidence in the database is what was written, and still has the heads that were kept.
const from = process.env.INIT_CWD ?? process.cwd()
process.chdir(root)
if (existsSync('.env')) process.loadEnvFile('.env')
await installIfNeeded()
const heads = process.argv.slice(2).map((path) => resolve(from, path))
const { status } = spawnSync('node_modules/.bin/tsx', [join(root, 'server/verify-agreements.ts'), ...heads], {
  stdio: 'inherit',
})
process.exitCode = status ?? 2
