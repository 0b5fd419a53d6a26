import { join } from 'node:path'
import { buildIfChanged } from './build.mjs'
import { installEverything } from './install.mjs'
import { root, run, say } from './run.mjs'
import { buildEarlier } from './test-runner/earlier-build.mjs'

// `npm run faults`: checks responses and stored data while dependencies fail, on temporary data.
// `--before REF` also runs that version and this one on one database.
await installEverything()
await buildIfChanged()
const args = process.argv.slice(2)
const index = args.indexOf('--before')
const earlier = index >= 0 ? await buildEarlier(args[index + 1]) : { why: 'no --before REF was given' }
if (index >= 0) args.splice(index, 2)
if (earlier.main) args.push('--before', earlier.main)
else say(`Skipped two versions: ${earlier.why}`)
const tsx = join(root, 'node_modules/.bin/tsx')
const { code, output } = await run(tsx, [join(root, 'tests/chaos/main.ts'), ...args], {
  everyFewSeconds: () => process.stderr.write('.'),
})
await earlier.drop?.()
process.stdout.write(`\n${output}`)
process.exitCode = code
