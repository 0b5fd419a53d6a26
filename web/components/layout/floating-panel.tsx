import type { ReactNode } from 'react'
import classes from './floating-panel.module.css'

type FloatingProps = {
  /** Hides the content but keeps its space. */
  isGone?: boolean
  children: ReactNode
}

/**
 * Fixed to the bottom edge, above the page and below every dialog. The end of the page gets as much
 * space, so that everything can be scrolled into view.
 */
export const FloatingPanel = ({ isGone, children }: FloatingProps) => (
  <div className={classes.place} data-gone={isGone || undefined}>
    <div className={classes.card}>{children}</div>
  </div>
)
