import { type Scanned, scannedVin } from '@keyturn/contract/kit/scanned-vin.ts'
import type { CodeReader } from './codes.ts'

/** More pixels than this take long on a phone; the narrow lines of a label in a whole photo may need them all the same. */
const sizes = { live: 1920, photo: [1920, 4032] }

/** One picture of the camera, at one tilt: the next one comes soon. */
export async function scanVideo(video: HTMLVideoElement, reader: CodeReader, turn: number): Promise<Scanned> {
  const { videoWidth: width, videoHeight: height } = video
  const tilt = reader.tilts[turn % reader.tilts.length] ?? 0
  return scannedVin(await reader.read(draw({ picture: video, width, height }, sizes.live, tilt)))
}

/** A photo is looked at in every way before it is given up. Null if it is no picture that this browser can open. */
export async function scanPhoto(photo: Blob, reader: CodeReader): Promise<Scanned | null> {
  const picture = await createImageBitmap(photo).catch(() => null)
  if (!picture) return null
  const { width, height } = picture
  try {
    let best: Scanned = { kind: 'nothing' }
    for (const most of sizes.photo)
      for (const tilt of reader.tilts) {
        const seen = scannedVin(await reader.read(draw({ picture, width, height }, most, tilt)))
        if (seen.kind === 'vin') return seen
        if (seen.kind !== 'nothing') best = seen
      }
    return best
  } finally {
    // Some fifty megabytes.
    picture.close()
  }
}

type Drawn = { picture: CanvasImageSource; width: number; height: number }

/** Turned about its middle, and made smaller where it is larger than `most` pixels on its longer side. */
function draw({ picture, width, height }: Drawn, most: number, tilt: number): HTMLCanvasElement {
  const scale = Math.min(1, most / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.translate(canvas.width / 2, canvas.height / 2)
  context?.rotate((tilt * Math.PI) / 180)
  context?.drawImage(picture, -canvas.width / 2, -canvas.height / 2, canvas.width, canvas.height)
  return canvas
}
