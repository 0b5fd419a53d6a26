import { useEffect, useRef } from 'react'

/** Scrolls to the top when the page shows another screen without navigating. */
export function useScrollToTopOnChange(screen: unknown): void {
  const before = useRef(screen)
  useEffect(() => {
    if (before.current === screen) return
    before.current = screen
    window.scrollTo({ top: 0 })
  }, [screen])
}
