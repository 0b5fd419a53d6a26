import { useState } from 'react'

export type Seen<Row> = {
  shown: Row
  isStale: boolean
  /** It existed when the decision began and is gone now. */
  isGone: boolean
  /** Shows the row as it is now. */
  catchUp: () => void
  show: (row: Row) => void
}
type Reading<Row> = {
  isSame: (seen: NonNullable<Row>, present: NonNullable<Row>) => boolean
  isOwn?: boolean
  isWhole?: ((seen: NonNullable<Row>) => boolean) | undefined
}

/**
 * What a person decides on must not change as they click: the row stays as it was first shown until they ask for the
 * new one. `isSame` tells whether two states are equal in everything that matters to the decision. `isOwn` means that
 * changes may be the person's own, which is not news to them; the row then stays as they sent it, so that sending it
 * again repeats the same action.
 */
export function useSeen<Row extends object | undefined>(
  present: Row,
  { isSame, isOwn = false, isWhole = () => true }: Reading<Row>,
): Seen<Row> {
  const [seen, setSeen] = useState(present)
  const differs = seen !== undefined && present !== undefined && !isSame(seen, present)
  // A row that is still loading has not been seen.
  const isComing = seen === undefined || !isWhole(seen)
  if (isComing && present !== undefined && !differs && (seen === undefined || isWhole(present)))
    setSeen(() => present)
  const [wasOwn, setWasOwn] = useState(isOwn)
  const shown = present === undefined || differs || (isOwn && wasOwn) ? seen : present
  if (isOwn !== wasOwn) {
    setWasOwn(isOwn)
    if (isOwn) setSeen(() => shown)
  }
  return {
    shown,
    isStale: differs && !isOwn,
    isGone: seen !== undefined && present === undefined && !isOwn,
    catchUp: () => setSeen(() => present),
    show: (row) => setSeen(() => row),
  }
}
