import { join } from 'node:path'
import { buildIfChanged } from './build.mjs'
import { installEverything } from './install.mjs'
import { root, run, say } from './run.mjs'
import { buildEarlier } from './test-runner/earlier-build.mjs'

// `npm run faults`: checks responses and stored data while dependencies fail, on scratch data.
// `--before REF`: that version and this one serve one database together.
await installEverything()
await buildIfChanged()
const args = process.argv.slice(2)
const place = args.indexOf('--before')
const earlier = place >= 0 ? await buildEarlier(args[place + 1]) : { why: 'no --before REF was given' }
if (place >= 0) args.splice(place, 2)
if (earlier.main) args.push('--before', earlier.main)
else say(`Two versions are left out: ${earlier.why}`)
const tsx = join(root, 'node_modules/.bin/tsx')
const { code, output } = await run(tsx, [join(root, 'tests/chaos/main.ts'), ...args], {
  everyFewSeconds: () => process.stderr.write('.'),
})
await earlier.drop?.()
process.stdout.write(`\n${output}`)
process.exitCode = code
