import { useCallback, useRef } from 'react'

/**
 * Runs a navigation once. While the next page loads, the current one renders again with the new
 * address, and navigating again (as `<Navigate>` does) would restart the navigation forever.
 */
export function useRunOnce() {
  const isDone = useRef(false)
  return useCallback((act: () => unknown) => {
    if (isDone.current) return
    isDone.current = true
    act()
  }, [])
}
