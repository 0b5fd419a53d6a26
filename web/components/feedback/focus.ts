import { createContext } from 'react'

/** Whether the focused element was removed and nothing else has the focus. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** True once the page has been shown. Content that appears later must announce itself. */
export const ShownContext = createContext<{ readonly current: boolean }>({ current: false })
