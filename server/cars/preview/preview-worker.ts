import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import { type Card, svgOf } from './preview-card.ts'

// One picture at a time, and none of them again: they are kept elsewhere.
sharp.concurrency(1)
sharp.cache(false)

/** Says when it is ready; then one card in, its PNG out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async (card: Card) => parentPort?.postMessage(await draw(card)))
parentPort?.postMessage('ready')

/** Few colors, so that it fits what chats load without asking. */
async function draw(card: Card): Promise<Uint8Array> {
  const png = await sharp(Buffer.from(svgOf(card)))
    .png({ palette: true, colours: 64, compressionLevel: 9 })
    .toBuffer()
  // A view of a larger pool could not be sent on its own.
  return new Uint8Array(png)
}
