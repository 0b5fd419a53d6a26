import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../database/new-id.ts'
import type { DocumentStore } from './document-store.ts'
import { nullIfMissing, syncFolder } from './folder-store.ts'

/** Stores each document as a file below `root`. `drafts` must be on the same disk. */
export function openDocumentFolder(root: string, drafts: string): DocumentStore {
  const pathOf = (digest: string) => join(root, digest.slice(0, 2), digest)
  return {
    put: async (digest, bytes) => {
      const draft = join(drafts, `document-${newId()}`)
      const path = pathOf(digest)
      await mkdir(drafts, { recursive: true })
      await mkdir(dirname(path), { recursive: true })
      try {
        await writeFile(draft, bytes, { flag: 'wx', flush: true, mode: 0o600 })
        await rename(draft, path)
      } finally {
        await rm(draft, { force: true })
      }
      for (const folder of [dirname(path), root, dirname(root)]) await syncFolder(folder)
    },
    open: async (digest) => {
      const file = await open(pathOf(digest)).catch(nullIfMissing)
      return file?.createReadStream() ?? null
    },
    drop: (digest) => rm(pathOf(digest), { force: true }),
  }
}
