import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Smaller files fit into one or two packets anyway. */
const minBytes = 1024
const isCompressible = /\.(js|css|svg|json|wasm)$/

/** Compresses each asset at the highest level, which only a build has time for. */
export async function compressAssets(folder) {
  const names = (await readdir(folder)).filter((name) => isCompressible.test(name))
  await Promise.all(names.map((name) => compress(join(folder, name))))
}

async function compress(path) {
  const bytes = await readFile(path)
  if (bytes.length < minBytes) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
