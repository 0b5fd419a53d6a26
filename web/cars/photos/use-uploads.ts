import { useEffect, useState, useSyncExternalStore } from 'react'
import { shrink } from './shrink.ts'
import { openUploads, type SendPhoto } from './uploads.ts'

/** The pictures that this screen has on their way; leaving it stops them. */
export function useUploads(send: SendPhoto) {
  const [uploads] = useState(() => openUploads({ prepare: shrink, send, pause: untilLineIsBack }))
  useEffect(() => uploads.stop, [uploads])
  const list = useSyncExternalStore(uploads.subscribe, uploads.list)
  return { ...uploads, list }
}

function untilLineIsBack(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
