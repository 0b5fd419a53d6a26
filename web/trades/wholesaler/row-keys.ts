import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import type { RefObject } from 'react'

type RowKeys = {
  /** Holds the rows; each carries its id as `data-row` and can take the focus. */
  list: RefObject<HTMLElement | null>
  isOn: boolean
  onOffer: (id: string) => void
}

/** j and k move from row to row, o offers for the one that has the focus, or the first. */
export function useRowKeys({ list, isOn, onOffer }: RowKeys): void {
  const press = (act: (rows: HTMLElement[], at: number) => unknown) => (event: KeyboardEvent) => {
    if (event.defaultPrevented || isElsewhere(event)) return
    // The letter must not come to stand in a field that opens.
    event.preventDefault()
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    act(rows, at)
  }
  const offer = (row: HTMLElement | undefined) => row?.dataset.row && onOffer(row.dataset.row)
  const keys = {
    j: press((rows, at) => focusRow(rows[Math.min(at + 1, rows.length - 1)])),
    k: press((rows, at) => focusRow(rows[Math.max(at - 1, 0)])),
    o: press((rows, at) => offer(rows[Math.max(at, 0)])),
  }
  const items: HotkeyItem[] = Object.entries(keys).map(([key, handle]) => [key, handle, ownDefault])
  useHotkeys(
    isOn ? items : [],
    // Which fields keep their letters is decided above: in a radio button a letter is free.
    [],
    true,
  )
}

const ownDefault = { preventDefault: false }

export function focusRow(row: HTMLElement | null | undefined): void {
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** Letters belong to fields and to dialogs first. */
const isElsewhere = ({ target }: KeyboardEvent) =>
  !(target instanceof HTMLElement) ||
  target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]') !==
    null ||
  document.querySelector('[role="dialog"]') !== null

/** Single letters get in the way of speaking to a browser: they can be turned off, and stay off in this browser. */
export const useKeysOn = () =>
  useLocalStorage({
    key: 'keyturn-row-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (isOn) => (isOn ? 'on' : 'off'),
    deserialize: (kept) => kept !== 'off',
  })
