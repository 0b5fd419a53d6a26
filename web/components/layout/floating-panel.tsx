import type { ReactNode } from 'react'
import classes from './floating-panel.module.css'

type FloatingProps = {
  /** Hides the content but keeps its space. */
  isGone?: boolean
  children: ReactNode
}

/**
 * Fixed to the lower edge, above the page and below every dialog. The page's end gets the same
 * space, so that everything can be scrolled clear of it.
 */
export const FloatingPanel = ({ isGone, children }: FloatingProps) => (
  <div className={classes.place} data-gone={isGone || undefined}>
    <div className={classes.card}>{children}</div>
  </div>
)
