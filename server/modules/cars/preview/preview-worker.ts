import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { type Card, size, svgOf, svgOverPhoto, type ToDraw } from './preview-card.ts'

// One picture at a time, and none of them again: they are kept elsewhere.
sharp.concurrency(1)
sharp.cache(false)

/** Says when it is ready; then one card in, its picture out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async ({ card, photo }: ToDraw) => {
  const picture = photo ? await drawOverPhoto(card, photo) : await draw(card)
  // A view of a larger pool could not be sent on its own.
  parentPort?.postMessage(new Uint8Array(picture))
})
parentPort?.postMessage('ready')

/** Few colors, so that it fits what chats load without asking. */
const draw = (card: Card): Promise<Buffer> =>
  sharp(Buffer.from(svgOf(card)))
    .png({ palette: true, colours: 64, compressionLevel: 9 })
    .toBuffer()

/** What chats load without asking, with some to spare. */
const mostBytes = 290_000

/** The photo fills the picture, cut to where there is most to see. */
async function drawOverPhoto(card: Card, photo: Uint8Array): Promise<Buffer> {
  // Ours are JPEGs: nothing else is ever decoded here.
  if (photo[0] !== 0xff || photo[1] !== 0xd8) throw new Error('A photo in the store is no JPEG')
  const { data, info } = await sharp(photo, { failOn: 'error' })
    .resize({ ...size, fit: 'cover', position: sharp.strategy.attention })
    .composite([{ input: Buffer.from(svgOverPhoto(card)) }])
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let jpeg = Buffer.alloc(0)
  for (const quality of qualities) {
    jpeg = await sharp(data, { raw: { width, height, channels } }).jpeg({ quality }).toBuffer()
    if (jpeg.length <= mostBytes) break
  }
  return jpeg
}

/** Of most photos the first is small enough; with the last, noise in every pixel is. */
const qualities = [82, 70, 55, 40, 25]
