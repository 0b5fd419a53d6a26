import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../database/new-id.ts'
import type { PictureStore } from './picture-store.ts'

/**
 * Stores each picture as a folder below `root`. One rename adds or removes it, so that a power cut
 * never leaves a partial picture. `leaving` must be on the same disk and is cleaned up at startup.
 */
export function openFolderStore(root: string, leaving: string): PictureStore {
  const folderOf = (id: string) => join(root, id.slice(0, 2), id)
  return {
    put: async (id, folder) => {
      const target = folderOf(id)
      await mkdir(dirname(target), { recursive: true })
      await syncFolder(folder)
      await rename(folder, target).catch((error) => {
        if (!isThere(error)) throw error
      })
      await syncFolder(dirname(target))
    },
    add: async (id, name, bytes) => {
      const draft = join(leaving, `made-${newId()}`)
      try {
        await writeFile(draft, bytes, { flag: 'wx', flush: true })
        // Fails if the folder of the picture is gone, so no folder with only this file can appear.
        await rename(draft, join(folderOf(id), name)).catch(nullIfMissing)
      } finally {
        await rm(draft, { force: true })
      }
    },
    open: async (id, name) => {
      const file = await open(join(folderOf(id), name)).catch(nullIfMissing)
      if (!file) return null
      const { size } = await file.stat()
      return { bytes: file.createReadStream(), size }
    },
    drop: async (id) => {
      const left = join(leaving, `gone-${newId()}`)
      // Deleting file by file would let a concurrent `put` see a partial picture.
      await rename(folderOf(id), left).catch(nullIfMissing)
      await rm(left, { recursive: true, force: true })
    },
  }
}

/** Makes a new or renamed entry durable, which requires an fsync of its folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isThere = (error: unknown) => ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')

export function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
