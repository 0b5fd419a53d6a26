import { join } from 'node:path'
import { buildIfChanged } from '../build.mjs'
import { installIfNeeded } from '../install.mjs'
import { root, run } from '../run.mjs'

// `npm run bench:live`: thousands of open pages on one process and on two, on an embedded PostgreSQL with its own data.
await installIfNeeded()
await buildIfChanged()
const tsx = join(root, 'node_modules/.bin/tsx')
const { code, output } = await run(tsx, [join(root, 'server/bench/live/main.ts'), ...process.argv.slice(2)], {
  everyFewSeconds: () => process.stderr.write('.'),
})
process.stdout.write(`\n${output}`)
process.exitCode = code
