import type { Readable } from 'node:stream'
import { photoFormats, photoWidths } from '@keyturn/contract/shared/photo-files.ts'

/** Files derived from a picture, and deleted with it (R-cars-27); the newest of each name. */
export const derivedNames = ['preview'] as const
export type DerivedName = (typeof derivedNames)[number]

export const photoFileNames = (picture: { width: number }): string[] =>
  photoWidths(picture).flatMap((width) => Object.keys(photoFormats).map((format) => `${width}.${format}`))

/** Stores picture files in a folder (`folder-store.ts`) or an object store (`s3-store.ts`). */
export type PictureStore = {
  /** Stores every file of `folder`, which it may move away. Does nothing if the picture exists. */
  put(id: string, folder: string): Promise<void>
  /** Adds or replaces a derived file of an existing picture. */
  add(id: string, name: DerivedName, bytes: Uint8Array): Promise<void>
  /** Returns null if the file does not exist. */
  open(id: string, name: string): Promise<{ bytes: Readable; size: number } | null>
  /** Deletes the files; missing files are ignored. */
  drop(id: string, names: readonly string[]): Promise<void>
}
