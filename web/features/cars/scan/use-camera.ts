import { type RefObject, useEffect, useRef, useState } from 'react'

/** `away` means that the window is hidden or has lost the focus, so the camera is off. */
type CameraState = 'opening' | 'on' | 'away' | 'refused' | 'failed'

export type Camera = {
  state: CameraState
  video: RefObject<HTMLVideoElement | null>
  /** Null if the camera has no controllable light. */
  light: { isOn: boolean; toggle: () => Promise<void> } | null
  turnOn: () => void
}

/**
 * Shows the back camera in a video, only while the component is mounted and the window has the
 * focus.
 */
export function useCamera(): Camera {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('opening')
  const [light, setLight] = useState<{ track: MediaStreamTrack; isOn: boolean } | null>(null)
  const isWanted = state === 'opening' || state === 'on'

  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    let stream: MediaStream | null = null
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    const open = async () => {
      stream = await openBackCamera()
      const [track] = stream.getVideoTracks()
      if (isOver || !track || !video.current) return stop()
      track.addEventListener('ended', () => setState('failed'))
      video.current.srcObject = stream
      await video.current.play()
      if (isOver) return
      setState('on')
      setLight(hasLight(track) ? { track, isOn: false } : null)
    }
    open().catch((fault) => isOver || setState(isRefusal(fault) ? 'refused' : 'failed'))
    return () => {
      isOver = true
      stop()
      setLight(null)
    }
  }, [isWanted])

  // Focus changes are ignored while opening, because the browser's permission prompt then has the
  // focus.
  const mayChange = state === 'on' || state === 'away'
  useEffect(() => {
    if (!mayChange) return
    const leave = () => setState('away')
    const comeBack = () => setState((now) => (now === 'away' ? 'opening' : now))
    const change = () => (document.visibilityState === 'hidden' ? leave() : comeBack())
    window.addEventListener('blur', leave)
    window.addEventListener('focus', comeBack)
    document.addEventListener('visibilitychange', change)
    return () => {
      window.removeEventListener('blur', leave)
      window.removeEventListener('focus', comeBack)
      document.removeEventListener('visibilitychange', change)
    }
  }, [mayChange])

  return {
    state,
    video,
    light: light && {
      isOn: light.isOn,
      toggle: () =>
        light.track.applyConstraints(lit(!light.isOn)).then(
          () => setLight({ ...light, isOn: !light.isOn }),
          () => setLight(null),
        ),
    },
    turnOn: () => setState('opening'),
  }
}

/** Fails without https, where browsers have no `mediaDevices`. */
function openBackCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error('no camera on this page')
  return navigator.mediaDevices.getUserMedia({
    // The highest resolution, because the bars of a label are narrow.
    video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
  })
}

const isRefusal = (fault: unknown): boolean =>
  fault instanceof DOMException && fault.name === 'NotAllowedError'

// Missing in TypeScript's types, because not all browsers have it.
const hasLight = (track: MediaStreamTrack): boolean =>
  Boolean((track.getCapabilities?.() as { torch?: boolean } | undefined)?.torch)
const lit = (torch: boolean) => ({ advanced: [{ torch } as MediaTrackConstraintSet] })

/**
 * Whether this is a phone or tablet with a camera. Without https, the dialog can still use a photo.
 */
export async function hasMobileCamera(): Promise<boolean> {
  if (!matchMedia('(pointer: coarse)').matches) return false
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => [])
  return devices?.some(({ kind }) => kind === 'videoinput') ?? true
}
