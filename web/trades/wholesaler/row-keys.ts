import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

type RowKeys = {
  /** Holds the rows; each carries its id as `data-row` and can take the focus. */
  list: RefObject<HTMLElement | null>
  isOn: boolean
  onOffer: (id: string) => void
}

/** j and k move from row to row, o offers for the one that has the focus, or the first. */
export function useRowKeys({ list, isOn, onOffer }: RowKeys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isElsewhere(event)) return
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    switch (event.key) {
      case 'j':
        return focusRow(rows[Math.min(at + 1, rows.length - 1)])
      case 'k':
        return focusRow(rows[Math.max(at - 1, 0)])
      case 'o': {
        const id = rows[Math.max(at, 0)]?.dataset.row
        if (!id) return
        // The letter must not come to stand in the field that opens.
        event.preventDefault()
        return onOffer(id)
      }
    }
  })
  useEffect(() => {
    if (!isOn) return
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [isOn])
}

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
export function useKeysOn(): [isOn: boolean, turn: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readOff() !== 'off')
  const turn = (on: boolean) => {
    setOn(on)
    try {
      localStorage.setItem(storageKey, on ? 'on' : 'off')
    } catch {
      // Storage is forbidden here: it holds for this page.
    }
  }
  return [isOn, turn]
}

function readOff(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

const storageKey = 'keyturn-row-keys'
