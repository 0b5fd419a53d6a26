import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A file that fits into a packet or two gains nothing. */
const leastBytes = 1024
const isLoose = /\.(js|css|svg|json|wasm)$/

/** Compresses each asset once, at build time, so that the highest level is affordable. */
export async function compressAssets(folder) {
  const names = (await readdir(folder)).filter((name) => isLoose.test(name))
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
