import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfChanged } from '../build.mjs'
import { installIfNeeded } from '../install.mjs'
import { root } from '../run.mjs'

// `npm run bench:scale`: each call among a thousand cars and among a million, on an embedded PostgreSQL with its own data.
await installIfNeeded()
await buildIfChanged()
// It runs for so long that each line is shown when it is known.
const { status } = spawnSync(
  join(root, 'node_modules/.bin/tsx'),
  [join(root, 'server/bench/scale/main.ts'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 2
