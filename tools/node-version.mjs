// Imported before everything else, so that an old Node fails with this message and not inside some package.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Keyturn needs Node 20.19 or newer, and this is ${process.versions.node}: see https://nodejs.org`,
  )
  process.exit(1)
}
