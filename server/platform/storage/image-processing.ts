import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Photo, photoBounds } from '@keyturn/contract/shared/photo.ts'
import { largest, type PhotoFormat, widthsOf } from '@keyturn/contract/shared/photo-files.ts'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'

/** What was drawn, or why nothing was. */
export type Drawn = Omit<Photo, 'caption'> | { fault: 'NotAPhoto' | 'TooManyPixels' | 'PhotoUnreadable' }

// One picture at a time, and what is read once is not read again.
sharp.concurrency(1)
sharp.cache(false)
// Nothing but these is ever decoded, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
})

/** Longer than the largest picture takes on a slow machine. */
const seconds = 20

/**
 * Draws the picture of the file `sent` in every width and format into `into`. None has anything of the file but what is
 * seen on it: where and when it was taken, and whatever else stood beside the pixels, is gone (R-cars-24).
 */
export async function drawPicture(sent: string, into: string): Promise<Drawn> {
  const source = () => sharp(sent, { limitInputPixels: photoBounds.pixels, failOn: 'error' })
  const told = await source()
    .metadata()
    .catch((error: Error) => error)
  if (told instanceof Error)
    return { fault: /pixel limit/.test(told.message) ? 'TooManyPixels' : 'PhotoUnreadable' }
  if (!['jpeg', 'png', 'webp'].includes(told.format)) return { fault: 'NotAPhoto' }
  if (told.width * told.height > photoBounds.pixels) return { fault: 'TooManyPixels' }
  const whole = await drawWhole(source()).catch(() => null)
  if (!whole) return { fault: 'PhotoUnreadable' }
  const { width, height } = whole.info
  let id = ''
  for (const one of widthsOf({ width })) {
    const smaller = one === width ? whole : await rawOf(again(whole).resize({ width: one }))
    for (const [format, draw] of Object.entries(formats)) {
      const bytes = await draw(again(smaller)).toBuffer()
      await writeFile(join(into, `${one}.${format}`), bytes, { flag: 'wx', flush: true })
      // The last JPEG is the largest.
      if (format === 'jpg') id = createHash('sha256').update(bytes).digest('hex')
    }
  }
  return { id, width, height, placeholder: await placeholderOf(whole) }
}

/** AVIF at its least effort is a quarter smaller than WebP at its usual one, and costs less (docs/decisions/0027). */
const formats: Record<PhotoFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 50, effort: 0, chromaSubsampling: '4:2:0' }),
  jpg: (image) => image.jpeg({ quality: 78, progressive: true }),
}

type Raw = Awaited<ReturnType<typeof rawOf>>
const rawOf = (image: Sharp) => image.raw().toBuffer({ resolveWithObject: true })
const again = ({ data, info: { width, height, channels } }: Raw) =>
  sharp(data, { raw: { width, height, channels } })

/** The right way up, on white where it is transparent, in the colors of the web. */
const drawWhole = (source: Sharp): Promise<Raw> =>
  rawOf(
    source
      .timeout({ seconds })
      .autoOrient()
      .resize({ ...largest, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb'),
  )

async function placeholderOf(whole: Raw): Promise<string> {
  const { data, info } = await rawOf(
    again(whole).resize({ width: 64, height: 64, fit: 'inside' }).ensureAlpha(),
  )
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}
