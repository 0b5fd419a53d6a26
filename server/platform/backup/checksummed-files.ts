import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { finished, pipeline } from 'node:stream/promises'
import { StartupError } from '../startup/startup-error.ts'

// A backup is a folder. `SHA256SUMS` lists the digest of every other file in it, in the format of
// `sha256sum -c`.

export const checksumsName = 'SHA256SUMS'
export const manifestName = 'manifest.json'

export type Checksum = { path: string; digest: string }
export type WrittenFile = { digest: string; bytes: number }

/** Writes and fsyncs a new file. Mode 0600, because backups contain keys and personal data. */
export async function writeSyncedFile(path: string, source: AsyncIterable<Uint8Array>): Promise<WrittenFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  const digest = createHash('sha256')
  let bytes = 0
  try {
    for await (const piece of source) {
      digest.update(piece)
      bytes += piece.length
      await file.writeFile(piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { digest: digest.digest('hex'), bytes }
}

export const toChunks = async function* (text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Writes digests as a stream, because there may be millions of them. */
export function createChecksumWriter(folder: string) {
  const out: WriteStream = createWriteStream(join(folder, checksumsName), {
    flags: 'wx',
    mode: 0o600,
    flush: true,
  })
  const failed = finished(out)
  failed.catch(() => {})
  return {
    add: async (path: string, { digest }: { digest: string }): Promise<void> => {
      if (!out.write(`${digest}  ${path}\n`)) await Promise.race([drained(out), failed])
    },
    close: async (): Promise<void> => {
      out.end()
      await failed
    },
  }
}
export type ChecksumWriter = ReturnType<typeof createChecksumWriter>

const drained = (out: WriteStream) => new Promise<void>((resolve) => out.once('drain', resolve))

export async function* readChecksums(folder: string): AsyncGenerator<Checksum> {
  const lines = createInterface({
    input: createReadStream(join(folder, checksumsName)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!digest || !path)
      throw new StartupError(`${join(folder, checksumsName)} is damaged: it has an invalid line.`)
    yield { path, digest }
  }
}

export async function computeDigest(path: string): Promise<string> {
  const digest: Hash = createHash('sha256')
  await pipeline(createReadStream(path), digest)
  return digest.digest('hex')
}

/** Lists all files in the folder with the relative paths that `SHA256SUMS` uses. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

/** Makes a new or renamed entry durable, which requires an fsync of its folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}
