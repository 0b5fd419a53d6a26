import '../node-version.mjs'
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { installEverything } from '../install.mjs'
import { say } from '../run.mjs'
import { fetchPackage, newestVersion } from './npm-packages.mjs'
import { compareVersions, runTests } from './test-report.mjs'

// `npm run node-versions [-- 24] [--only pure]`: runs the tests of both Vitest projects on the
// newest release of each Node major version.

const name = `node-${process.platform}-${process.arch}`
const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const projects = values.only ? [values.only] : ['pure', 'http']

await installEverything()
await compareVersions('Node', positionals.length > 0 ? positionals : ['22', '24'], tryVersion)

async function tryVersion(major) {
  const bin = join(await fetchPackage(name, await newestVersion(name, major)), 'bin')
  const node = join(bin, 'node')
  const label = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim()
  say(`Node ${label}`)
  // Tests start other programs, some of them by name.
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
  return {
    label,
    ...(await runTests(
      projects.map((project) => `--project=${project}`),
      { node, env },
    )),
  }
}
