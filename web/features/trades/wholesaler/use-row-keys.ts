import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import type { RefObject } from 'react'

type RowKeys = {
  /** The element with the rows, which are focusable and have their id in `data-row`. */
  list: RefObject<HTMLElement | null>
  isOn: boolean
  onOffer: (id: string) => void
}

/**
 * Handles shortcuts: j and k move between rows, and o opens the offer for the focused row or the
 * first one.
 */
export function useRowKeys({ list, isOn, onOffer }: RowKeys): void {
  const press = (act: (rows: HTMLElement[], at: number) => unknown) => (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTyping(event)) return
    // Otherwise the letter would also be typed into the field that opens.
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
    // By default, the hook ignores all inputs, but radio buttons do not use letters. `isTyping`
    // ignores the others.
    [],
    true,
  )
}

const ownDefault = { preventDefault: false }

export function focusRow(row: HTMLElement | null | undefined): void {
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

/** Letters typed into fields and dialogs are not shortcuts. */
const isTyping = ({ target }: KeyboardEvent) =>
  !(target instanceof HTMLElement) ||
  target.closest('input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]') !==
    null ||
  document.querySelector('[role="dialog"]') !== null

/** Single-letter shortcuts can interfere with speech input, so they can be turned off. */
export const useShortcutsSetting = () =>
  useLocalStorage({
    key: 'keyturn-row-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
    serialize: (isOn) => (isOn ? 'on' : 'off'),
    deserialize: (stored) => stored !== 'off',
  })
