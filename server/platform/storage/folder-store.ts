import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../database/new-id.ts'
import type { PictureStore } from './picture-store.ts'

/**
 * Below the data folder: a folder for each picture, which comes and goes by one rename, so that after a power cut it is
 * there as a whole or not at all. `leaving` lies on the same disk; what is left there is thrown away.
 */
export function folderStore(root: string, leaving: string): PictureStore {
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
        // Never the first file of a folder: if the picture is gone, so is this.
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
      // Not file by file: who is stored in the middle of that would find a part of it.
      await rename(folderOf(id), left).catch(nullIfMissing)
      await rm(left, { recursive: true, force: true })
    },
  }
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const isThere = (error: unknown) => ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')

function nullIfMissing(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
