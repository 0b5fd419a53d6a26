import { useEffect, useRef } from 'react'

/** Scrolls to the top when the page changes to another screen without navigation. */
export function useTopOnChange(face: unknown): void {
  const before = useRef(face)
  useEffect(() => {
    if (before.current === face) return
    before.current = face
    window.scrollTo({ top: 0 })
  }, [face])
}
