import { join } from 'node:path'
import { buildIfChanged } from './build.mjs'
import { installIfNeeded } from './install.mjs'
import { root, run } from './run.mjs'

// `npm run faults`: what people are told, and what is stored afterwards, while things break. Uses its own scratch data.
await installIfNeeded()
await buildIfChanged()
const tsx = join(root, 'node_modules/.bin/tsx')
const { code, output } = await run(tsx, [join(root, 'server/faults/main.ts'), ...process.argv.slice(2)], {
  everyFewSeconds: () => process.stderr.write('.'),
})
process.stdout.write(`\n${output}`)
process.exitCode = code
