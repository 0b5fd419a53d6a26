import { createContext } from 'react'

/** Whether the focused element was removed and no other one has the focus. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** True once the surrounding page has been shown; whatever appears in it later must announce itself. */
export const ShownContext = createContext<{ readonly current: boolean }>({ current: false })
