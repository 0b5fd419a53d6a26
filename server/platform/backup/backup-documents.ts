import { link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import type { DocumentStore } from '../storage/document-store.ts'
import type { OpenStore } from '../storage/open-store.ts'
import { type ChecksumWriter, writeSyncedFile } from './checksummed-files.ts'
import type { Manifest } from './manifest.ts'

// Documents are named after their digest (R-everywhere-75). Those that evidence refers to are never
// deleted, so they need no lock.

/**
 * Lists the documents of the snapshot that evidence refers to, as hex digests. A database that an
 * older version created has no such table yet.
 */
export async function listDocuments(client: pg.ClientBase): Promise<string[]> {
  const { rowCount } = await client.query(`select where to_regclass('documents') is not null`)
  if (rowCount === 0) return []
  const { rows } = await client.query<{ digest: string }>(
    `select encode(digest, 'hex') as digest from documents where sweep_after is null order by digest`,
  )
  return rows.map(({ digest }) => digest)
}

const documentsFolder = 'documents'
const pathOf = (digest: string) => `${documentsFolder}/${digest.slice(0, 2)}/${digest}`

type Copying = {
  documents: DocumentStore
  folder: string
  checksums: ChecksumWriter
  before: string | null
}
type Copied = Required<Pick<Manifest, 'documents' | 'missing'>>

/**
 * Copies the documents. An altered one counts as missing, so a file in the previous backup was
 * intact, and is hard-linked.
 */
export async function copyDocuments(copying: Copying, digests: readonly string[]): Promise<Copied> {
  const documents = { files: 0, bytes: 0 }
  const missing: string[] = []
  for (const digest of digests) {
    const bytes = await copyDocument(copying, digest)
    if (bytes === null) {
      missing.push(pathOf(digest))
      continue
    }
    await copying.checksums.add(pathOf(digest), { digest })
    documents.files++
    documents.bytes += bytes
  }
  return { documents, missing }
}

/** Returns the size, or null if the store has no such document. */
async function copyDocument({ documents, folder, before }: Copying, digest: string): Promise<number | null> {
  const target = join(folder, pathOf(digest))
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  if (before !== null && (await isLinked(join(before, pathOf(digest)), target)))
    return (await stat(target)).size
  const found = await documents.open(digest)
  if (!found) return null
  const file = await writeSyncedFile(target, found)
  if (file.digest === digest) return file.bytes
  await rm(target)
  return null
}

/** Returns false if hard links are unsupported or there is no such file; the caller then copies it. */
const isLinked = (earlier: string, target: string): Promise<boolean> =>
  link(earlier, target).then(
    () => true,
    () => false,
  )

/** Puts each document into the store, and returns their number. */
export async function restoreDocuments({ documents }: OpenStore, folder: string): Promise<number> {
  let count = 0
  const list = (path: string) => readdir(path).catch(() => [])
  for (const prefix of await list(join(folder, documentsFolder)))
    for (const digest of await list(join(folder, documentsFolder, prefix))) {
      await documents.put(digest, await readFile(join(folder, pathOf(digest))))
      count++
    }
  return count
}
