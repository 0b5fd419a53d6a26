import { useState } from 'react'

export type Seen<Row> = {
  shown: Row
  isStale: boolean
  /** It was there when it was opened. */
  isGone: boolean
  /** Shows the row as it is now. */
  catchUp: () => void
  show: (row: Row) => void
}
type IsSame<Row> = (seen: Row, present: Row) => boolean

/**
 * What a person decides on must not change under the finger: the row stays as it was first shown until they ask for
 * the new one. `isSame` says whether two states differ in nothing that matters to the decision; `isOwn`, that whatever
 * changes now is the person's own doing, which is no news to them.
 */
export function useSeen<Row extends object>(present: Row, isSame: IsSame<Row>, isOwn?: boolean): Seen<Row>
export function useSeen<Row extends object>(
  present: Row | undefined,
  isSame: IsSame<Row>,
  isOwn?: boolean,
): Seen<Row | undefined>
export function useSeen<Row extends object>(
  present: Row | undefined,
  isSame: IsSame<Row>,
  isOwn = false,
): Seen<Row | undefined> {
  const [seen, setSeen] = useState(present)
  // What is still being loaded has not been seen.
  if (seen === undefined && present !== undefined) setSeen(() => present)
  const differs = seen !== undefined && present !== undefined && !isSame(seen, present)
  return {
    shown: present === undefined || differs ? seen : present,
    isStale: differs && !isOwn,
    isGone: seen !== undefined && present === undefined && !isOwn,
    catchUp: () => setSeen(() => present),
    show: (row) => setSeen(() => row),
  }
}
