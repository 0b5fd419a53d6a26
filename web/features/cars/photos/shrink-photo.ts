import { photoTypes } from '@keyturn/contract/shared/photo.ts'
import { maxPhotoSize } from '@keyturn/contract/shared/photo-files.ts'
import type { PreparedPhoto } from './uploads.ts'

/** Width and height, in pixels, of the largest size in which a photo is ever shown. */
const maxPixels = Math.max(maxPhotoSize.width, maxPhotoSize.height)
/** Smaller files are uploaded unchanged. */
const smallBytes = 1_500_000
const previewPixels = 240

/**
 * Shrinks a photo to its largest displayed size, about a tenth of a phone's file size. An
 * unreadable file is sent unchanged, so that the server reports the error.
 */
export async function shrinkPhoto(file: File): Promise<PreparedPhoto> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return { file, preview: null }
  try {
    const preview = scaleImage(image, previewPixels).toDataURL('image/jpeg', 0.7)
    const isAccepted = photoTypes.some((type) => type === file.type)
    if (isAccepted && file.size <= smallBytes && Math.max(image.width, image.height) <= maxPixels)
      return { file, preview }
    const drawn = scaleImage(image, maxPixels)
    const smaller = await new Promise<Blob | null>((resolve) => drawn.toBlob(resolve, 'image/jpeg', 0.9))
    return { file: smaller ?? file, preview }
  } finally {
    image.close()
  }
}

function scaleImage(image: ImageBitmap, max: number): HTMLCanvasElement {
  const scale = Math.min(1, max / Math.max(image.width, image.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  const context = canvas.getContext('2d')
  if (context) {
    // A JPEG has no transparency, so the background is white, as on the server.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return canvas
}
