import { useCallback, useRef } from 'react'

/**
 * For leaving a page. While the next one is loading, this one renders again with the new address, and whatever it
 * decides from that (as `<Navigate>` does) would restart the navigation forever.
 */
export function useOnce() {
  const isDone = useRef(false)
  return useCallback((act: () => unknown) => {
    if (isDone.current) return
    isDone.current = true
    act()
  }, [])
}
