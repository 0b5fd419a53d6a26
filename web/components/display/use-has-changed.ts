import { useState } from 'react'

/** Whether the value has changed while the component was shown: what is there from the start does not move. */
export function useHasChanged(value: unknown): boolean {
  const [first] = useState(value)
  const [hasChanged, setHasChanged] = useState(false)
  if (value !== first && !hasChanged) setHasChanged(true)
  return hasChanged
}
