import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../run.mjs'

const cache = join(root, 'node_modules/.cache/keyturn/npm')

/** Returns the registry's newest version of a package within one major version. */
export async function newestVersion(name, major) {
  // Imported here, because it may have been installed just now.
  const { default: semver } = await import('semver')
  const versions = JSON.parse(await npm(['view', name, 'versions', '--json']))
  // Some packages have only prereleases.
  const newest = semver.maxSatisfying(versions, `${major}.x`, { includePrerelease: true })
  if (!newest) throw new Error(`npm has no ${name} ${major}`)
  return newest
}

/** Downloads a package once and returns its folder, without installing or running it. */
export async function fetchPackage(name, version) {
  const folder = join(cache, name, version)
  const unpacked = join(folder, 'package')
  if (existsSync(unpacked)) return unpacked
  // Renamed into place at the end, so that an interrupted download is not used.
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  mkdirSync(folder, { recursive: true })
  await npm(['pack', `${name}@${version}`, '--pack-destination', partial])
  await runOrThrow('sh', ['-c', `tar -xzf "${partial}"/*.tgz -C "${partial}"`])
  renameSync(join(partial, 'package'), unpacked)
  rmSync(partial, { recursive: true })
  return unpacked
}

const npm = (args) => runOrThrow('npm', [...args, '--loglevel=error'])

async function runOrThrow(command, args) {
  const { code, output } = await run(command, args)
  if (code !== 0) throw new Error(output)
  return output
}
