// Imported first, so that an old Node fails with this message and not inside a package.

/**
 * Returns why this version of Node cannot run Keyturn, or null; `engines` in package.json tells npm
 * the same.
 */
export function nodeError(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19)) return null
  return `Keyturn runs on Node 20.19+, 22.13+ and 24+, and this is ${version}: see https://nodejs.org`
}

/** Returns a warning when this version of Node is newer than those the tests run on, or null. */
export function nodeNotice(version) {
  const [major = 0] = version.split('.').map(Number)
  if (major <= 24) return null
  return `Keyturn is tested on Node 20.19, 22 and 24, and this is ${version}: it starts, but 24 is the safe choice.`
}

const error = nodeError(process.versions.node)
const line = error ?? nodeNotice(process.versions.node)
if (line) console.error(line)
if (error) process.exit(1)
