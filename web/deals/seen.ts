import { useState } from 'react'

/**
 * What a person decides on must not change under the finger: the row stays as it was first shown until they ask for
 * the new one. `isSame` says whether two states differ in anything that matters to the decision.
 */
export function useSeen<Row>(present: Row, isSame: (one: Row, other: Row) => boolean) {
  const [seen, setSeen] = useState(present)
  const isStale = !isSame(seen, present)
  return {
    shown: isStale ? seen : present,
    isStale,
    catchUp: () => setSeen(() => present),
  }
}
