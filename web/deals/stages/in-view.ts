import { useEffect, useRef } from 'react'

/** Brings what has just come into view: on a phone the buttons at the bottom edge would lie over it. */
export function useInView<E extends HTMLElement>(isThere = true) {
  const place = useRef<E>(null)
  useEffect(() => {
    if (isThere) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isThere])
  return place
}
