import { type ErrorTable, errorFactories } from './error.ts'
import { photoBounds } from './photo.ts'

const refusalTable = {
  TooManyPhotos: [409, `There are ${photoBounds.maxPhotos} photos already. Delete one to make room.`],
  PhotoTooLarge: [413, `This photo is larger than ${photoBounds.megabytes} MB. Please choose a smaller one.`],
  NotAPhoto: [415, 'We can’t read this file as a photo. Please choose a JPEG, PNG or WebP.'],
  PhotoUnreadable: [422, 'This photo cannot be read. The file may be damaged.'],
  TooManyPixels: [
    422,
    `This photo has more than ${photoBounds.pixels / 1e6} megapixels. Please choose a smaller one.`,
  ],
} as const satisfies ErrorTable

declare module './error.ts' {
  interface ErrorCodes extends Record<keyof typeof refusalTable, true> {}
}

export const photoErrors = errorFactories(refusalTable)

/** Error codes of every endpoint that accepts a photo. */
export const photoErrorCodes = Object.keys(refusalTable) as (keyof typeof refusalTable)[]
