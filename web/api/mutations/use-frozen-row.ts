import { useState } from 'react'

export type FrozenRow<Row> = {
  shown: Row
  isStale: boolean
  /** The row existed when the decision began and has since been deleted. */
  isGone: boolean
  catchUp: () => void
  show: (row: Row) => void
}
type FreezeOptions<Row> = {
  isSame: (seen: NonNullable<Row>, current: NonNullable<Row>) => boolean
  isOwn?: boolean
  isWhole?: ((seen: NonNullable<Row>) => boolean) | undefined
}

type Memory<Row> = { seen: Row; wasOwn: boolean }

/**
 * Freezes the row that a person decides on until they ask for the current one. `isSame` compares
 * everything that matters to the decision. `isOwn` means that changes may be the person's own: the
 * row then stays as it was sent, so that sending it again repeats the same action.
 */
export function useFrozenRow<Row extends object | undefined>(
  current: Row,
  reading: FreezeOptions<Row>,
): FrozenRow<Row> {
  const [memory, setMemory] = useState({ seen: current, wasOwn: reading.isOwn ?? false })
  const { next, ...state } = computeFrozenRow(memory, current, reading)
  if (next.seen !== memory.seen || next.wasOwn !== memory.wasOwn) setMemory(next)
  const show = (row: Row) => setMemory(({ wasOwn }) => ({ seen: row, wasOwn }))
  return { ...state, catchUp: () => show(current), show }
}

/** Computes what to show for the current row, and which row counts as seen. */
export function computeFrozenRow<Row extends object | undefined>(
  { seen, wasOwn }: Memory<Row>,
  current: Row,
  { isSame, isOwn = false, isWhole = () => true }: FreezeOptions<Row>,
): Pick<FrozenRow<Row>, 'shown' | 'isStale' | 'isGone'> & { next: Memory<Row> } {
  const differs = seen !== undefined && current !== undefined && !isSame(seen, current)
  // A row that is still loading has not been seen.
  const isComing =
    current !== undefined && (seen === undefined || (!differs && !isWhole(seen) && isWhole(current)))
  const known = isComing ? current : seen
  const shown = current === undefined || differs || (isOwn && wasOwn) ? known : current
  return {
    shown,
    isStale: differs && !isOwn,
    isGone: known !== undefined && current === undefined && !isOwn,
    next: { seen: isOwn && !wasOwn ? shown : known, wasOwn: isOwn },
  }
}
