import { useCallback, useRef } from 'react'

/**
 * For leaving a page. While the next one is still loading, this one is drawn again with the new address, and
 * whatever it decides from that (as `<Navigate>` does) would start the way anew, for ever.
 */
export function useOnce() {
  const isDone = useRef(false)
  return useCallback((act: () => unknown) => {
    if (isDone.current) return
    isDone.current = true
    act()
  }, [])
}
