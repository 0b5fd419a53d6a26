import { createContext } from 'react'

/** What had the focus is gone from the document, and nothing has taken it since. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/** True once the page around has been shown: what appears in it from then on has to speak for itself. */
export const ShownContext = createContext<{ readonly current: boolean }>({ current: false })
