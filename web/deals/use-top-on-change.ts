import { useEffect, useRef } from 'react'

/** A new face of the same address begins at its top, where it says what has happened. */
export function useTopOnChange(face: unknown): void {
  const before = useRef(face)
  useEffect(() => {
    if (before.current === face) return
    before.current = face
    window.scrollTo({ top: 0 })
  }, [face])
}
