import type { Scanned } from '@keyturn/contract/kit/scanned-vin.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { type CodeReader, openReader } from './codes.ts'
import { scanPhoto, scanVideo } from './picture.ts'
import type { Camera } from './use-camera.ts'

export type Seen = Exclude<Scanned['kind'], 'vin'>
type PhotoTrouble = Seen | 'unreadable'

/** Between two pictures; never less than reading one took, so that the page stays quick on a slow phone. */
const pauseMs = 80
/** So many pictures without a code until that is said: one alone may have been taken while the hand moved. */
const turnsUntilNothing = 15

/** Looks for a VIN in what the camera shows, and in a photo. */
export function useScan({ state, video }: Camera, onVin: (vin: string) => void) {
  const [reader, setReader] = useState<CodeReader | null>(null)
  const [isMissing, setMissing] = useState(false)
  const [seen, setSeen] = useState<Seen>('nothing')
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
        // A bar code that is misread once in passing may fit its check digit by chance; twice the same it does not.
        if (now.kind === 'vin' && now.vin === before) return found(now.vin)
        if (now.kind === 'vin') before = now.vin
        turnsWithout = now.kind === 'nothing' ? turnsWithout + 1 : 0
        if (now.kind !== 'vin' && (turnsWithout === 0 || turnsWithout > turnsUntilNothing)) setSeen(now.kind)
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
