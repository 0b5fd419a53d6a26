import { createContext } from 'react'

/** Whether the focused element was removed and no other one has the focus. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** True once the page has been shown; content that appears later must announce itself. */
export const ShownContext = createContext<{ readonly current: boolean }>({ current: false })
