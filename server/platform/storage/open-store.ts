import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { folderStore } from './folder-store.ts'
import type { PictureStore } from './picture-store.ts'
import { s3Store } from './s3-store.ts'

export type OpenStore = {
  store: PictureStore
  /** Where pictures lie while they come in: on the disk of this process. */
  incoming: string
  close(): Promise<void>
}

/** Where the files of photos lie, by the settings. */
export function openStore({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): OpenStore {
  const root = join(dataDir, 'photos')
  const incoming = join(root, 'incoming')
  const ofS3 = s3 && s3Store(s3)
  return { store: ofS3 ?? folderStore(root, incoming), incoming, close: async () => ofS3?.close() }
}
