import { z } from 'zod'
import { fieldTexts, lineOrNothing } from './fields.ts'

/** What a photo may be when it is sent, and how many there may be of one car (R-cars-23, R-cars-24). */
export const photoBounds = {
  most: 20,
  megabytes: 15,
  bytes: 15 * 1024 * 1024,
  pixels: 50_000_000,
  caption: 120,
} as const

/** What is taken. Whatever a phone keeps its photos as, its browser converts when it is asked for these. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** SHA-256 of the photo's largest JPEG, and so its name: nobody finds it who was not shown it (R-cars-25). */
export const photoId = z.string(fieldTexts.id).regex(/^[0-9a-f]{64}$/, fieldTexts.id)

export const caption = lineOrNothing(photoBounds.caption, fieldTexts.caption)

/** One photo of a car, wherever a car or a trade is told of. Its files lie at `photoAddress` (`photo-files.ts`). */
export const photo = z.object({
  id: photoId,
  /** Of the largest file; the others have the same shape. */
  width: z.int(),
  height: z.int(),
  /** A ThumbHash in base64: some twenty bytes from which a page draws the colors of the photo until it is there. */
  placeholder: z.string(),
  caption: z.string(),
})
export type Photo = z.output<typeof photo>

/** In the order in which the seller wants them to be seen. */
export const photos = z.array(photo)

/** Every photo that is there, once, in the order wanted from now on; any other list is out of date. */
export const photoOrder = z.object({ photoIds: z.array(photoId).max(photoBounds.most) })
