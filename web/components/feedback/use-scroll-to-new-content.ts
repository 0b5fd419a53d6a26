import { useEffect, useRef } from 'react'

/**
 * Scrolls new content of this element into view, because the buttons at the bottom edge could cover
 * it.
 */
export function useScrollToNewContent<E extends HTMLElement>() {
  const place = useRef<E>(null)
  const last = useRef('')
  // After every render, because the element does not know what its children show.
  useEffect(() => {
    const text = place.current?.textContent ?? ''
    if (text !== '' && text !== last.current) place.current?.scrollIntoView({ block: 'nearest' })
    last.current = text
  })
  return place
}
