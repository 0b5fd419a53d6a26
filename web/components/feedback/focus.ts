import { createContext } from 'react'

/** Whether the focused element was removed and nothing else has the focus. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** Moves a lost focus to an element, or to the page's title if that is gone too. */
export function restoreFocus(to?: Element | null): void {
  requestAnimationFrame(() => {
    if (!isFocusLost()) return
    const place = to?.isConnected ? to : document.querySelector('h1[tabindex]')
    if (place instanceof HTMLElement) place.focus({ preventScroll: true })
  })
}

/** True once the page has been shown. Content that appears later must announce itself. */
export const ShownContext = createContext<{ readonly current: boolean }>({ current: false })
