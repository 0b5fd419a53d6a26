import { findScannedVin, type ScanResult } from '@keyturn/contract/shared/scanned-vin.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { type CodeReader, openReader } from './open-reader.ts'
import type { Camera } from './use-camera.ts'

export type ScanState = Exclude<ScanResult['kind'], 'vin'>
type PhotoTrouble = ScanState | 'unreadable'

/**
 * Minimum pause between two frames, in ms. Reading a slow frame is followed by an equally long
 * pause.
 */
const pauseMs = 80
/** Frames without a code before the hint appears. A single frame may be blurred by movement. */
const framesUntilHint = 15

export function useScan({ state, video }: Camera, onVin: (vin: string) => void) {
  const [reader, setReader] = useState<CodeReader | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [seen, setSeen] = useState<ScanState>('nothing')
  const [trouble, setTrouble] = useState<PhotoTrouble | null>(null)
  const found = useEffectEvent(onVin)

  const load = () => {
    setMissing(false)
    return openReader().then(setReader, () => setMissing(true))
  }
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])

  useEffect(() => {
    if (state !== 'on' || !reader) return
    let isOver = false
    const look = async () => {
      let before: string | null = null
      let turnsWithout = 0
      for (let turn = 0; !isOver; turn++) {
        const began = performance.now()
        const now = video.current ? await scanVideo(video.current, reader, turn) : null
        if (isOver || !now) return
        // A misread bar code may have a matching check digit by chance, but not twice.
        if (now.kind === 'vin' && now.vin === before) return found(now.vin)
        if (now.kind === 'vin') before = now.vin
        turnsWithout = now.kind === 'nothing' ? turnsWithout + 1 : 0
        if (now.kind !== 'vin' && (turnsWithout === 0 || turnsWithout > framesUntilHint)) setSeen(now.kind)
        await new Promise((done) => setTimeout(done, Math.max(pauseMs, performance.now() - began)))
      }
    }
    void look()
    return () => {
      isOver = true
    }
  }, [state, video, reader])

  return {
    seen,
    isMissing,
    load,
    trouble,
    takePhoto: async (photo: Blob) => {
      setTrouble(null)
      const at = reader ?? (await openReader().catch(() => null))
      if (!at) return setMissing(true)
      const now = await scanPhoto(photo, at)
      if (now?.kind === 'vin') onVin(now.vin)
      else setTrouble(now?.kind ?? 'unreadable')
    },
  }
}

/**
 * Pixels of the longer side. Larger pictures are slow on a phone, but narrow bars in a photo may
 * need them.
 */
const sizes = { live: 1920, photo: [1920, 4032] }

/** Scans one frame at one rotation. */
async function scanVideo(video: HTMLVideoElement, reader: CodeReader, turn: number): Promise<ScanResult> {
  const { videoWidth: width, videoHeight: height } = video
  const tilt = reader.tilts[turn % reader.tilts.length] ?? 0
  return findScannedVin(await reader.read(draw({ picture: video, width, height }, sizes.live, tilt)))
}

/** Scans a photo at every size and rotation. Returns null if the browser cannot open it. */
async function scanPhoto(photo: Blob, reader: CodeReader): Promise<ScanResult | null> {
  const picture = await createImageBitmap(photo).catch(() => null)
  if (!picture) return null
  const { width, height } = picture
  try {
    let best: ScanResult = { kind: 'nothing' }
    for (const max of sizes.photo)
      for (const tilt of reader.tilts) {
        const seen = findScannedVin(await reader.read(draw({ picture, width, height }, max, tilt)))
        if (seen.kind === 'vin') return seen
        if (seen.kind !== 'nothing') best = seen
      }
    return best
  } finally {
    // Frees about fifty megabytes.
    picture.close()
  }
}

type Drawn = { picture: CanvasImageSource; width: number; height: number }

/**
 * Draws the picture rotated about its center and scaled down to `max` pixels on its longer side.
 */
function draw({ picture, width, height }: Drawn, max: number, tilt: number): HTMLCanvasElement {
  const scale = Math.min(1, max / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  context?.translate(canvas.width / 2, canvas.height / 2)
  context?.rotate((tilt * Math.PI) / 180)
  context?.drawImage(picture, -canvas.width / 2, -canvas.height / 2, canvas.width, canvas.height)
  return canvas
}
