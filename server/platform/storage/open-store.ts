import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openDocumentFolder } from './document-folder.ts'
import type { DocumentStore } from './document-store.ts'
import { openFolderStore } from './folder-store.ts'
import type { PictureStore } from './picture-store.ts'
import { openS3Store } from './s3-store.ts'

export type OpenStore = {
  store: PictureStore
  /** Sealed agreements. Below the photos in a folder, which servers share anyway. */
  documents: DocumentStore
  /** Local folder for uploads in progress. */
  incoming: string
  close(): Promise<void>
}

/** Opens the configured store: S3 if set, otherwise the data folder. */
export function openStore({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): OpenStore {
  const root = join(dataDir, 'photos')
  const incoming = join(root, 'incoming')
  const ofS3 = s3 && openS3Store(s3)
  return {
    store: ofS3?.pictures ?? openFolderStore(root, incoming),
    documents: ofS3?.documents ?? openDocumentFolder(join(root, 'documents'), incoming),
    incoming,
    close: async () => ofS3?.close(),
  }
}
