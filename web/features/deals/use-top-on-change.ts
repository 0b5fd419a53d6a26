import { useEffect, useRef } from 'react'

/** When a page changes to another screen without navigation, it scrolls to the top, which says what has happened. */
export function useTopOnChange(face: unknown): void {
  const before = useRef(face)
  useEffect(() => {
    if (before.current === face) return
    before.current = face
    window.scrollTo({ top: 0 })
  }, [face])
}
