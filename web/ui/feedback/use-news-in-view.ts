import { useEffect, useRef } from 'react'

/** Whatever new is said in this place is brought into view: buttons at the bottom edge would lie over it. */
export function useNewsInView<E extends HTMLElement>() {
  const place = useRef<E>(null)
  const last = useRef('')
  // After every change: the place itself does not know what its children say.
  useEffect(() => {
    const said = place.current?.textContent ?? ''
    if (said !== '' && said !== last.current) place.current?.scrollIntoView({ block: 'nearest' })
    last.current = said
  })
  return place
}
