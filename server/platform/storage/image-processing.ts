import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { maxPhotoSize, type PhotoFormat, photoWidths } from '@keyturn/contract/shared/photo-files.ts'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/** The processed image, or the reason why it was rejected. */
export type ProcessedImage =
  | Omit<Photo, 'caption'>
  | { fault: 'NotAPhoto' | 'TooManyPixels' | 'PhotoUnreadable' }

// One image at a time; caching has no benefit, because no image is read twice.
sharp.concurrency(1)
sharp.cache(false)
// Only these formats are decoded, regardless of what the file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
})

/** Longer than the largest image takes on a slow machine. */
const seconds = 20

/**
 * Writes the image in every width and format into `into`. Only pixels are copied: metadata such as
 * place and time is dropped (R-cars-24).
 */
export async function processImage(sent: string, into: string): Promise<ProcessedImage> {
  const source = () => sharp(sent, { limitInputPixels: photoBounds.pixels, failOn: 'error' })
  const metadata = await source()
    .metadata()
    .catch((error: Error) => error)
  if (metadata instanceof Error)
    return { fault: /pixel limit/.test(metadata.message) ? 'TooManyPixels' : 'PhotoUnreadable' }
  if (!['jpeg', 'png', 'webp'].includes(metadata.format)) return { fault: 'NotAPhoto' }
  if (metadata.width * metadata.height > photoBounds.pixels) return { fault: 'TooManyPixels' }
  const normalized = await normalize(source(), metadata).catch(() => null)
  if (!normalized) return { fault: 'PhotoUnreadable' }
  const { width, height } = normalized.info
  let id = ''
  for (const one of photoWidths({ width })) {
    const smaller = one === width ? normalized : await toRaw(fromRaw(normalized).resize({ width: one }))
    for (const [format, draw] of Object.entries(formats)) {
      const bytes = await draw(fromRaw(smaller)).toBuffer()
      await writeFile(join(into, `${one}.${format}`), bytes, { flag: 'wx', flush: true })
      // The last JPEG is the largest and provides the id.
      if (format === 'jpg') id = createHash('sha256').update(bytes).digest('hex')
    }
  }
  return { id, width, height, placeholder: await createPlaceholder(normalized) }
}

/** AVIF at effort 0 is 25% smaller than default WebP, and uses less CPU (decision 27). */
const formats: Record<PhotoFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
  jpg: (image) => image.jpeg({ quality: 78, progressive: true }),
}

type Raw = Awaited<ReturnType<typeof toRaw>>
const toRaw = (image: Sharp) => image.raw().toBuffer({ resolveWithObject: true })
const fromRaw = ({ data, info: { width, height, channels } }: Raw) =>
  sharp(data, { raw: { width, height, channels } })

/** Rotates the image upright and converts it to sRGB, on white where it is transparent. */
const normalize = (source: Sharp, metadata: Metadata): Promise<Raw> =>
  toRaw(
    toSrgb(
      source
        .timeout({ seconds })
        .autoOrient()
        .resize({ ...maxPhotoSize, fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' }),
      metadata,
    ),
  )

/**
 * sharp converts 16-bit colors from their profile to Display P3, and 16-bit gray not at all. The
 * profile that the pixels then have still has to be applied.
 */
function toSrgb(image: Sharp, { depth, space, icc }: Metadata): Sharp {
  const profileSpace = icc?.toString('latin1', 16, 20)
  const isGray = space === 'grey16'
  if (depth !== 'ushort' || profileSpace !== (isGray ? 'GRAY' : 'RGB ')) return image.toColourspace('srgb')
  return image.toColourspace(isGray ? 'b-w' : 'srgb').withIccProfile('srgb', { attach: false })
}

async function createPlaceholder(normalized: Raw): Promise<string> {
  const { data, info } = await toRaw(
    fromRaw(normalized).resize({ width: 64, height: 64, fit: 'inside' }).ensureAlpha(),
  )
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
