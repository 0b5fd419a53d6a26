import type { Readable } from 'node:stream'
import { photoFormats, widthsOf } from '@keyturn/contract/shared/photo-files.ts'

/** What is made of a picture later lies beside its files, and goes with them (R-cars-27): one of each name, the newest. */
export const besides = ['preview'] as const
export type Beside = (typeof besides)[number]

/** What a picture of this width is drawn as. */
export const drawnNames = (picture: { width: number }): string[] =>
  widthsOf(picture).flatMap((width) => Object.keys(photoFormats).map((format) => `${width}.${format}`))

/** Where the files of pictures lie: in a folder (`folder-store.ts`), or with an object store (`s3-store.ts`). */
export type PictureStore = {
  /** Stores every file of `folder`, all or none; the folder is the store's to take. Again changes nothing. */
  put(id: string, folder: string): Promise<void>
  /** One more file of a picture that is there, in place of an earlier one of this name. */
  add(id: string, name: Beside, bytes: Uint8Array): Promise<void>
  /** Null where there is no such file. */
  open(id: string, name: string): Promise<{ bytes: Readable; size: number } | null>
  /** Takes all of them away; what is gone already is no fault. */
  drop(id: string, names: readonly string[]): Promise<void>
}
