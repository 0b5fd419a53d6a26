import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import {
  drawPreview,
  drawPreviewOverPhoto,
  type PreviewCard,
  type PreviewJob,
  previewSize,
} from './preview-card.ts'

// Draws one picture at a time, without sharp's cache, because pictures are cached elsewhere.
sharp.concurrency(1)
sharp.cache(false)

/** Posts 'ready', then each picture. An error ends the thread, and its owner restarts it. */
parentPort?.on('message', async ({ card, photo }: PreviewJob) => {
  const picture = photo ? await drawOverPhoto(card, photo) : await draw(card)
  // A copy, because a view of the buffer pool would send the whole pool.
  parentPort?.postMessage(new Uint8Array(picture))
})
parentPort?.postMessage('ready')

/** Few colors, so that the file stays below the size that chats load automatically. */
const draw = (card: PreviewCard): Promise<Buffer> =>
  sharp(Buffer.from(drawPreview(card)))
    .png({ palette: true, colours: 64, compressionLevel: 9 })
    .toBuffer()

/** Below the size that chats load automatically. */
const maxBytes = 290_000

/** Crops the photo to its most detailed part so that it fills the picture. */
async function drawOverPhoto(card: PreviewCard, photo: Uint8Array): Promise<Buffer> {
  // Stored photos are JPEGs; nothing else is decoded here.
  if (photo[0] !== 0xff || photo[1] !== 0xd8) throw new Error('A stored photo is not a JPEG')
  const { data, info } = await sharp(photo, { failOn: 'error' })
    .resize({ ...previewSize, fit: 'cover', position: sharp.strategy.attention })
    .composite([{ input: Buffer.from(drawPreviewOverPhoto(card)) }])
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let jpeg = Buffer.alloc(0)
  for (const quality of qualities) {
    jpeg = await sharp(data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer()
    if (jpeg.length <= maxBytes) break
  }
  return jpeg
}

/** The first is small enough for most photos; the last is for a photo of pure noise. */
const qualities = [82, 70, 55, 40, 25]
