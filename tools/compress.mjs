import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What would take a packet or two anyway gains nothing; pictures and letters come compressed. */
const leastBytes = 1024
const isText = /\.(js|css|svg|json)$/

/** Writes what browsers are sent instead beside each asset: once, here, so that it can be as small as it gets. */
export async function compressAssets(folder) {
  const names = (await readdir(folder)).filter((name) => isText.test(name))
  await Promise.all(names.map((name) => compress(join(folder, name))))
}

async function compress(path) {
  const bytes = await readFile(path)
  if (bytes.length < leastBytes) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
