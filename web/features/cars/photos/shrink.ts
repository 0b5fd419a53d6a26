import { photoTypes } from '@keyturn/contract/shared/photo.ts'
import { largest } from '@keyturn/contract/shared/photo-files.ts'
import type { Prepared } from './uploads.ts'

/** No side is ever shown larger than this. */
const longest = Math.max(largest.width, largest.height)
/** What is smaller than this travels as fast as it is. */
const smallBytes = 1_500_000
const previewPixels = 240

/**
 * A photo as large as it is ever shown, which is a tenth of what a phone makes: over a poor line that is seconds instead
 * of minutes. One that this browser cannot read is sent as it is, for the server to say what is wrong with it.
 */
export async function shrink(file: File): Promise<Prepared> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return { file, preview: null }
  try {
    const preview = draw(image, previewPixels).toDataURL('image/jpeg', 0.7)
    const isTaken = photoTypes.some((type) => type === file.type)
    if (isTaken && file.size <= smallBytes && Math.max(image.width, image.height) <= longest)
      return { file, preview }
    const drawn = draw(image, longest)
    const smaller = await new Promise<Blob | null>((resolve) => drawn.toBlob(resolve, 'image/jpeg', 0.9))
    return { file: smaller ?? file, preview }
  } finally {
    image.close()
  }
}

function draw(image: ImageBitmap, most: number): HTMLCanvasElement {
  const scale = Math.min(1, most / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (context) {
    // A JPEG has no glass: what shines through is white, as on the server.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return canvas
}
