import { useCallback, useRef } from 'react'

/**
 * Runs a navigation once. While the next page loads, this one renders again with the new address,
 * and a repeated navigation (as `<Navigate>` does) would restart it forever.
 */
export function useRunOnce() {
  const isDone = useRef(false)
  return useCallback((act: () => unknown) => {
    if (isDone.current) return
    isDone.current = true
    act()
  }, [])
}
