import type { ReactNode } from 'react'
import classes from './floating.module.css'

type FloatingProps = {
  /** Hides the content but keeps its space. */
  isGone?: boolean
  children: ReactNode
}

/**
 * At the lower edge, above the page and below every dialog. Its space is added after the page's end, so that nothing
 * moves and everything can be scrolled clear of it.
 */
export const Floating = ({ isGone, children }: FloatingProps) => (
  <div className={classes.place} data-gone={isGone || undefined}>
    <div className={classes.card}>{children}</div>
  </div>
)
