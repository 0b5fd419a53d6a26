import type { Readable } from 'node:stream'

/** Stores documents under the SHA-256 of their bytes, in hex; in a folder or an object store. */
export type DocumentStore = {
  /** Does nothing if the document exists. Returns once it survives a power cut. */
  put(digest: string, bytes: Uint8Array): Promise<void>
  /** Returns null if the document does not exist. */
  open(digest: string): Promise<Readable | null>
  /** A missing document is ignored. */
  drop(digest: string): Promise<void>
}
