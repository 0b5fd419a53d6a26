import { z } from 'zod'
import { fieldTexts, optionalLine } from './fields.ts'

/** Limits of an uploaded photo and of the photos of one car (R-cars-23, R-cars-24). */
export const photoBounds = {
  maxPhotos: 20,
  megabytes: 15,
  bytes: 15 * 1024 * 1024,
  pixels: 50_000_000,
  caption: 120,
} as const

/** Accepted types. A phone's browser converts other formats when a form asks for these. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** SHA-256 of the photo's largest JPEG, used as its unguessable name (R-cars-25). */
export const photoId = z.string(fieldTexts.id).regex(/^[0-9a-f]{64}$/, fieldTexts.id)

export const caption = optionalLine(photoBounds.caption, fieldTexts.caption)

export const photo = z.object({
  id: photoId,
  /** Width of the largest file; the others have the same aspect ratio. */
  width: z.int(),
  height: z.int(),
  /** A ThumbHash in base64, about twenty bytes, shown until the photo is loaded. */
  placeholder: z.string(),
  caption: z.string(),
})
export type Photo = z.output<typeof photo>

/**
 * Where the picture was picked: the batch of an open page, and a number that grows with each
 * picture. Uploads finish in any order; the server sorts those of a batch (R-cars-35).
 */
export const uploadPlace = z.object({
  place: z
    .string()
    .regex(/^[0-9a-f]{16}-\d{4}$/)
    .optional(),
})
export const formatPlace = (batch: string, number: number): string =>
  `${batch}-${String(number % 10_000).padStart(4, '0')}`

/** In the seller's display order. */
export const photos = z.array(photo)

/** All photos in the new order, each once; any other list is outdated. */
export const photoOrder = z.object({ photoIds: z.array(photoId).max(photoBounds.maxPhotos) })
